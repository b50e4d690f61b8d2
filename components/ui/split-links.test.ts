import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLinks } from '#server/core/links/find-links.ts'
import { splitLinks } from './split-links.ts'
import { mayLink } from './use-links.ts'

const linksOf = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? [])

test('links an address but not the sentence around it', () => {
  expect(splitLinks('see https://example.org/a, or not')).toEqual([
    { text: 'see ', at: 0 },
    { text: 'https://example.org/a', href: 'https://example.org/a', at: 4 },
    { text: ', or not', at: 25 },
  ])
})

test.each([
  ['(https://example.org/a)', 'https://example.org/a'],
  ['https://example.org/a_(b)', 'https://example.org/a_(b)'],
  ['“https://example.org/a?b=c.”', 'https://example.org/a?b=c'],
  ['<http://example.org>', 'http://example.org'],
  ['https://example.org/…', 'https://example.org/'],
  ['clickhttp://example.org', 'http://example.org'],
  ['www.example.org', 'http://www.example.org'],
  ['[x](//example.org/a)', 'http://example.org/a'],
  ['看https://example.org吧', 'https://example.org'],
  ['http:example.org', 'http://example.org'],
  ['http:\\\\example.org\\a', 'http://example.org/a'],
  ['https://good.org@example.org/', 'https://example.org/'],
  ['https://e%78ample。org', 'https://example.org'],
])('%s links to %s', (text, href) => {
  expect(linksOf(text)).toEqual([href])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.org',
  'example.org/a',
  'hxxps://example.org',
  'user@www.example.org',
  'https://',
  'https:// example.org',
])('%s is not a link', (text) => {
  expect(linksOf(text)).toEqual([])
})

test('a text direction mark ends an address', () => {
  expect(linksOf('https://example.org/\u202Egpj.exe')).toEqual(['https://example.org/'])
})

test('the parts add up to the text, and every link leads to a host that rules find', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'https://a.b/(c)',
      'http://',
      ').',
      '\n',
      'www.',
      '//',
      '看',
      '@',
      '\\',
      '。',
      '\u202e',
      "'",
      'ｗｗｗ．a.b',
      'www。a.b',
      'ｈｔｔｐ：//a.b',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      const parts = splitLinks(text)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      const domains = findLinks(text).map(({ domain }) => domain)
      const links = parts.filter((part) => part.href !== undefined)
      if (links.length > 0) expect(mayLink(text)).toBe(true)
      for (const { href } of links) {
        const { protocol, hostname } = new URL(href ?? '')
        expect(protocol).toMatch(/^https?:$/)
        expect(domains).toContain(hostname.replace(/\.$/, ''))
      }
    }),
  )
})

test.each([
  'ｗｗｗ.example.org',
  'www。example.org',
  'www．example.org',
  'https：//example.org',
])('the finder is loaded for %s', (text) => {
  expect(linksOf(text)).not.toEqual([])
  expect(mayLink(text)).toBe(true)
})
