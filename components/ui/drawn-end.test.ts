import { expect, test } from 'vitest'
import { drawnEnd } from './drawn-end.ts'

test('draws a text of a few pages at once', () => {
  for (const text of ['', 'The ferry runs again.', 'a'.repeat(4_000), 'a line\n'.repeat(200)])
    expect(drawnEnd(text)).toBe(text.length - (text.endsWith('\n') ? 1 : 0))
})

test('ends what is drawn of a longer text between characters', () => {
  expect(drawnEnd('a'.repeat(4_001))).toBe(4_000)
  expect(drawnEnd(`${'a'.repeat(3_999)}🙂🙂`)).toBe(3_999)
  expect(drawnEnd(`${'a'.repeat(3_998)}🙂🙂`)).toBe(4_000)
})

test('ends what is drawn of many lines after two hundred', () => {
  expect(drawnEnd('\n'.repeat(19_000))).toBe(199)
  expect(drawnEnd('a line\n'.repeat(500))).toBe(1_399)
})

/** Texts of 20,000 characters, the longest that are kept, of what takes a browser longest to shape, to order or to fit into lines. */
const ODD = {
  'combining marks on one letter': `a${'\u0301'.repeat(19_999)}`,
  'combining marks on each letter': 'a\u0301\u0302\u0303\u0304'.repeat(4_000),
  'subjoined letters': `\u0f40${'\u0f90'.repeat(19_999)}`,
  overrides: '\u202e'.repeat(20_000),
  isolates: '\u2067'.repeat(20_000),
  'isolates that end': '\u2067a\u2069'.repeat(6_666),
  'ligatures of eighteen letters': '\ufdfa'.repeat(20_000),
  'ligatures of eighteen letters, as words': '\ufdfa '.repeat(10_000),
  families: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'.repeat(1_818),
  joiners: '\u200d'.repeat(20_000),
  'flags of tags': `\u{1f3f4}${'\u{e0067}'.repeat(9_999)}`,
  'lines of combining marks': `a${'\u0301'.repeat(98)}\n`.repeat(200),
}

test.each(Object.entries(ODD))('of %s no more is drawn at once than of letters', (_, text) => {
  const end = drawnEnd(text)
  expect(end).toBeLessThanOrEqual(4_000)
  expect(text.slice(0, end).split('\n').length).toBeLessThanOrEqual(200)
  expect(text.slice(0, end).isWellFormed()).toBe(true)
})
