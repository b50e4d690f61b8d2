import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { expect, test } from 'vitest'
import { isolateArguments } from './isolate-arguments.ts'

const formatters = {
  getNumberFormat: (...how: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...how),
  getPluralRules: (...how: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...how),
  getDateTimeFormat: (...how: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...how),
}
const said = (words: string, values: Parameters<typeof format>[2]) =>
  format(isolateArguments(compile(words)), 'ar-u-nu-latn', values, { formatters })

test('isolates each name in a sentence, in choices, plurals and tags too', () => {
  expect(said('{who}: {time}', { who: 'Ann', time: '9:26' })).toBe('\u2068Ann\u2069: \u20689:26\u2069')
  expect(said('{is, select, a {by {who}} other {}}', { is: 'a', who: 'Ann' })).toBe('by \u2068Ann\u2069')
  expect(said('{is, select, a {{who}} other {}}', { is: 'a', who: 'Ann' })).toBe('\u2068Ann\u2069')
  expect(said('{count, plural, one {# of {who}} other {}}', { count: 1, who: 'Ann' })).toBe('1 of \u2068Ann\u2069')
  const b = (chunks: unknown[]) => `<${chunks.join('')}>`
  expect(said('<b>{who}</b>, {n, number}', { who: 'Ann', n: 7, b })).toBe('<\u2068Ann\u2069>, 7')
  expect(said('{n, plural, other {<b>#</b> left}}', { n: 7, b })).toBe('<7> left')
})

test('leaves a message alone that is nothing but one name, and messages without any', () => {
  expect(said('{name}', { name: 'Ann' })).toBe('Ann')
  expect(said('{count, number} left', { count: 1_000_000 })).toBe('1,000,000 left')
  expect(said('Nothing left', {})).toBe('Nothing left')
})
