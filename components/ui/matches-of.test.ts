import { expect, test } from 'vitest'
import { matchesOf } from './matches-of.ts'
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
