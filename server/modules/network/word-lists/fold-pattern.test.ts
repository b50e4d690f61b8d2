import { expect, test } from 'vitest'
import { foldPattern } from '#server/modules/network/word-lists/fold-pattern.ts'

test.each([
  ['an apostrophe', 'don’t|won`t', "don't|won't"],
  ['a character by its code', String.raw`don\u2019t\U0001F44D`, String.raw`don't\U0001F44D`],
  ['an escaped character', String.raw`don\’t`, "don't"],
  ['wide letters and signs', 'Ｃ＋＋（ok）', String.raw`c\+\+\(ok\)`],
  ['a letter in two parts', 'cafe\u0301+', 'café+'],
  ['half-width kana', 'ｶｼﾞﾉ', 'カジノ'],
  ['letters that become two', 'ß|ß{2}|(ﬁ)?', 'ss|(?:ss){2}|(fi)?'],
  ['a thumb of any colour', '👍🏽+', '👍+'],
  ['invisible characters beside letters', '\u200fs\u200bpa\u00adm\u200b', 'spam'],
  ['several spaces', 'two \u00a0 words\u00a0+', 'two words +'],
  ['characters of a class, beside its own', '[’x]|[^Ａ-]|[]’]', "[’'x]|[^Ａa-]|[]’']"],
])('folds %s', (_, pattern, folded) => {
  expect(foldPattern(pattern)).toBe(folded)
})

test.each([
  String.raw`\bSPAM\B\S\W\D\d{2,3}?`,
  String.raw`(?:a|b)+.*^$[[:alpha:]\]x]`,
  '[А-Я][Ａ-Ｚ][ß]',
  String.raw`\.\*\u0000\ud83d`,
  'a   *b',
  '(',
  'a)|(b',
  '[',
  '***:a',
  '',
])('leaves what is no character as it is: %j', (pattern) => {
  expect(foldPattern(pattern)).toBe(pattern)
})

test.each([
  '\u200b',
  'a|\u200b',
  '(\u00ad)?',
  '\u200ba*',
  'a*\u200b',
  '\u200b+',
])('keeps an invisible character where the rest could match every text: %j', (pattern) => {
  expect(foldPattern(pattern)).toBe(pattern)
})
