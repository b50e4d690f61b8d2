import { expect, test } from 'vitest'
import { readAllowPattern, readBlockPattern, toAllowPattern, toBlockPattern } from './patterns.ts'

test('reads a site back from its pattern', () => {
  for (const typed of ['wikipedia.org', 'https://www.wikipedia.org/', 'http://wikipedia.org', 'www.wikipedia.org']) {
    for (const meaning of ['subdomains', 'exact'] as const)
      expect(readAllowPattern(toAllowPattern(typed, meaning))).toEqual({ shown: 'wikipedia.org', meaning })
  }
})

test('keeps the path and hyphen of a site', () => {
  const pattern = toAllowPattern('parks-and.ca.gov/maps', 'exact')
  expect(pattern).toBe(String.raw`parks\-and\.ca\.gov\/maps`)
  expect(readAllowPattern(pattern)).toEqual({ shown: 'parks-and.ca.gov/maps', meaning: 'exact' })
})

test('matches subdomains of the site only', () => {
  const matcher = new RegExp(`^https?://${toAllowPattern('example.com', 'subdomains')}(?:$|/)`)
  expect(['https://example.com', 'https://a.b.example.com/x'].every((link) => matcher.test(link))).toBe(true)
  const foreign = ['https://badexample.com', 'https://example.com.evil.org', 'https://evil.org/.example.com']
  expect(foreign.some((link) => matcher.test(link))).toBe(false)
})

test('shows a custom pattern as written', () => {
  for (const pattern of ['t[e3]legr[a4]m', 'cas+ino', String.raw`\bspam\b`, 'a.b'])
    expect(readBlockPattern(toBlockPattern(pattern, 'pattern'), false)).toEqual({ shown: pattern, meaning: 'pattern' })
  expect(readAllowPattern('example.com')).toEqual({ shown: 'example.com', meaning: 'pattern' })
})

test('reads words back from their pattern', () => {
  for (const [meaning, isWord] of [
    ['word', true],
    ['anywhere', false],
  ] as const)
    expect(readBlockPattern(toBlockPattern('cheap (new)', meaning), isWord)).toEqual({ shown: 'cheap (new)', meaning })
})
