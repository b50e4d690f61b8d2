import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLinks } from '#server/core/links/find-links.ts'

const domainsIn = (text: string) => findLinks(text).map(({ domain }) => domain)

test.each([
  ['after a letter', '看https://evil.com吧 點擊http://evil.com/a clickhttp://evil.com 1http://evil.com'],
  ['with other dots', 'https://evil。com/a https://evil．com https://evil｡com evil。com/a'],
  ['with escapes', 'https://e%76il.com http://EVIL.com.'],
  [
    'with the slashes of a browser',
    '//evil.com http:\\\\evil.com http:evil.com [x](http:\\\\evil.com) https:///evil.com',
  ],
  ['with a name before it', 'https://good.org@evil.com/ https://good.org:password@evil.com https://good.org,@evil.com'],
  [
    'after another one',
    'https://evil.com,https://evil.com;https://evil.com|evil.com https://evil.com/ahttps://evil.com https://evil.comhttps://evil.com',
  ],
  ['in wide letters', 'evil．com ｅｖｉｌ.com'],
  ['without a scheme', 'evil.com +evil.com x=evil.com/a (evil.com) evil.com:8080/x 看evil.com吧'],
  ['after signs', '_evil.com_ -evil.com see...evil.com フェリーevil.com see。-evil.com'],
  ['with two slashes after a sign or a letter without spaces', '看//evil.com/a ,//evil.com „//evil.com“ @\\\\evil.com'],
  ['after an emoji', '❤️evil.com ❤️-evil.com'],
  ['before signs of emphasis', '_see evil.com._ *see evil.com.* evil.com.- evil.com.__'],
  ['with invisible characters', 'ev\u200bil.com ev\u00adil.com/a //ev\u2060il.com evil.com\u200b'],
  ['with a scheme that no browser knows', 'hxxp://evil.com hxxp://EVIL.com/a hxxp://ｅｖｉｌ.com'],
  ['before signs that no host has', 'https://evil.com…a https://evil.com!a https://evil.com:a https://a@evil.com*b*'],
  ['after signs that no host has', 'https://!evil.com http:///,evil.com'],
  ['at the end of a sentence without spaces', '看https://evil.com吧. https://evil.com吧。'],
  [
    'in quotation marks and beside punctuation',
    '„https://evil.com“ »https://evil.com« https://evil.com、a https://evil.com“a',
  ],
  ['after a number or a name with a dot', '1.5/https://evil.com/a node.js-https:/evil.com see.http:evil.com'],
])('finds a link %s, and its host as a browser reads it', (_, text) => {
  const domains = domainsIn(text)
  expect(domains.length).toBeGreaterThan(0)
  expect(new Set(domains)).toEqual(new Set(['evil.com']))
})

test.each([
  ['README.md setup.py thanks.My end.So done.De', ['maybe', 'maybe', 'maybe', 'maybe', 'maybe']],
  ['shop.xyz/a www.shop.md spam.top my.my/x', ['domain', 'address', 'domain', 'domain']],
  ['see http: it is. note: http:foo and//or e.g. this. 1.5 3.14 v2.0.1 a@mail.com mailto:x@y.com', []],
  ['a@my-mail.com a@my_mail.com a@x.mail.com //foo', []],
  ['good.org@mail.com www.good.org@mail.com (good.org@mail.com)', ['maybe', 'maybe', 'maybe']],
  ['javascript:alert(1) data:text/html,x std::cout C:\\Users C:\\\\Users\\\\x.txt file:///etc/x.com', []],
])('of %j each counts as %j', (text, forms) => {
  expect(findLinks(text).map(({ form }) => form)).toEqual(forms)
})

test.each([
  ['[x](https://evil.com)@name', ['evil.com'], ['https://evil.com']],
  ['[x](//evil.com)@name', ['evil.com'], ['//evil.com']],
  ['[x]( https://evil.com)@good.org', ['evil.com', 'good.org'], ['https://evil.com', '@good.org']],
  ['[url=https://evil.com]x@good.org/ [/url]', ['evil.com', 'good.org'], ['https://evil.com', 'x@good.org/']],
  ['https://good.org)@evil.com/a', ['good.org', 'evil.com'], ['https://good.org', '@evil.com/a']],
])('%j leads to %j, whether or not Markdown or BBCode is read', (text, domains, written) => {
  expect(domainsIn(text)).toEqual(domains)
  expect(findLinks(text).map(({ from, to }) => text.slice(from, to))).toEqual(written)
})

test.each([
  ['(see https://en.wikipedia.org/wiki/A_(b)).', 'https://en.wikipedia.org/wiki/A_(b)'],
  ['“https://good.org/a”, he said', 'https://good.org/a'],
  ['(see http://[::1])', 'http://[::1]'],
  ['<a href="https://good.org/a?b=c">', 'https://good.org/a?b=c'],
  ['https://good.org/?to=https://evil.com', 'https://good.org/?to=https://evil.com'],
])('%j has the link %s', (text, link) => {
  expect(findLinks(text).map(({ from, to }) => text.slice(from, to))).toEqual([link])
})

test('https://evil.com%2egood.org leads to good.org', () => {
  expect(domainsIn('https://evil.com%2egood.org/')).toEqual(['evil.com.good.org'])
})

test('the domain of any address is the host that a browser would open', () => {
  const part = fc.string({
    unit: fc.constantFrom('a', 'B', '1', '-', '.', '。', '@', ':', '%2e', '%76', '/', '\\', '?', '#', 'ä', '看', 'Ｅ'),
  })
  fc.assert(
    fc.property(fc.constantFrom('https://', 'http:', 'http:\\\\', 'HTTPS:/'), part, (scheme, rest) => {
      const text = `${scheme}${rest}x.com`
      const url = URL.parse(text)
      const [link] = findLinks(text)
      // Where the sentence goes on in letters without spaces, the link ends before them.
      if (url === null || /看/.test(rest) || !/^[a-z0-9-]+(\.[a-z0-9-]+)+\.?$/.test(url.hostname)) return
      expect(link?.domain).toBe(url.hostname.replace(/\.$/, ''))
    }),
    { numRuns: 2_000 },
  )
})

const SIGNS = ['+', '$', '=', '^', '`', '|', '<', '>', '\uff5c']

// Looking again at each sign would take longer than a test may.
test.each([
  ...SIGNS.map((sign) => `${`${sign}a`.repeat(31)}.`.repeat(20_000)),
  ...['http://', '//', ','].map((start) => `${start}${'xn--a.'.repeat(60)}xn--a^ `.repeat(1_000)),
  `http://a.b${')'.repeat(300_000)}`,
  'http:'.repeat(100_000),
  'a.'.repeat(300_000),
  'a'.repeat(600_000),
  `http://${'x.com吧'.repeat(60_000)}`,
  'https://a.b,'.repeat(20_000),
  '//a.b,'.repeat(20_000),
  '//a.b,_'.repeat(20_000),
  'x://a.b,'.repeat(20_000),
  'https://!a.b'.repeat(20_000),
  'https://a@b,'.repeat(20_000),
  '1.5/'.repeat(100_000),
  `x${'\u200b'.repeat(300_000)}`,
  `${'_-'.repeat(150_000)}a.b`,
  'https://a.b('.repeat(20_000),
  'https://a.b'.repeat(20_000),
  `https://a.b,c.d/${'x('.repeat(100_000)}`,
])('looks in linear time: %#', (text) => {
  expect(findLinks(text).length).toBeLessThan(70_000)
})
