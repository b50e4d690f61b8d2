import { expect, test } from 'vitest'
import { fromMatchOn, matchesOf } from './matches-of.ts'
import { splitFound } from './split-found.ts'

const marked = (text: string, words: string) =>
  splitFound(text, matchesOf(text, words))
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('')

test.each([
  ['The Article, an article', 'article', 'The [Article], an [article]'],
  ['100% of $5 (or more)', '% of $5 (', '100[% of $5 (]or more)'],
  [String.raw`a.b\c/d`, String.raw`.b\c/`, String.raw`a[.b\c/]d`],
  ['ÉCOLE', 'école', '[ÉCOLE]'],
  ['東京の天気', '京の', '東[京の]天気'],
  ['😀😀', '😀', '[😀][😀]'],
  ['a-b', 'A-B', '[a-b]'],
  ['nothing', 'x', 'nothing'],
  ['nothing', '', 'nothing'],
  ['', 'x', ''],
])('highlights matches in %s for %s', (text, words, expected) => {
  expect(marked(text, words)).toBe(expected)
})

test('starts a long text shortly before the first match', () => {
  const far = `${'many words and '.repeat(20)}here it is`
  expect(fromMatchOn(far, 'here')).toMatch(/^… .{0,40}here it is$/)
  expect(fromMatchOn('here it is', 'here')).toBe('here it is')
  expect(fromMatchOn(far, 'absent')).toBe(far)
  expect(fromMatchOn(`${'x'.repeat(200)}here`, 'here')).toBe('… here')
})
