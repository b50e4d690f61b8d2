import { expect, test } from 'vitest'
import { excerptAround, excerptOf, matchOf } from './excerpt.ts'

test('keeps a short text and cuts a longer one, without spaces at its ends', () => {
  expect(excerptOf('  Where is my comment?\n')).toBe('Where is my comment?')
  expect(excerptOf('a'.repeat(120))).toBe('a'.repeat(120))
  expect(excerptOf(`${'a'.repeat(119)} bc`)).toBe(`${'a'.repeat(119)}…`)
  expect(excerptOf('')).toBeUndefined()
  expect(excerptOf('\n'.repeat(19_000))).toBeUndefined()
  expect(excerptOf('a'.repeat(300), 280)).toBe(`${'a'.repeat(280)}…`)
})

test('cuts between characters, also outside the basic plane', () => {
  expect(excerptOf('🙂'.repeat(130))).toBe(`${'🙂'.repeat(120)}…`)
  expect(excerptOf('🙂'.repeat(100))).toBe('🙂'.repeat(100))
})

test('cuts before a character that is made of several, and within one that is longer than the excerpt', () => {
  const family = '👨‍👩‍👧‍👦'
  expect(excerptOf(`${'a'.repeat(116)}${family}b`)).toBe(`${'a'.repeat(116)}…`)
  expect(excerptOf(`${'a'.repeat(119)}e\u0301b`)).toBe(`${'a'.repeat(119)}…`)
  expect(excerptOf(`a${'\u0301'.repeat(5_000)}`)).toBe(`a${'\u0301'.repeat(119)}…`)
})

test('starts a long text shortly before the words that are searched for', () => {
  const far = `${'many words and '.repeat(20)}HERE it is`
  expect(matchOf(far, 'here')).toMatch(/^… .{0,40}HERE it is$/)
  expect(matchOf('here it is', 'here')).toBeUndefined()
  expect(matchOf(far, 'absent')).toBeUndefined()
  expect(matchOf(`${'x'.repeat(200)}a.b*`, 'a.b*')).toBe('… a.b*')
  expect(matchOf(`${far} ${'and more '.repeat(2_000)}`, 'here')?.length).toBeLessThan(290)
})

test('shows the part of a text that something was found in, with its places there', () => {
  const long = `${'words '.repeat(100)}spam ${'words '.repeat(10)}spam ${'words '.repeat(1_000)}spam`
  const places = Array.from(long.matchAll(/spam/g), ({ index }) => ({ field: 'text', from: index, to: index + 4 }))
  const { text, found } = excerptAround(long, places)
  expect(text).toMatch(/^… (words )*spam (words )*spam (words )*w?o?r?d?s?…$/)
  expect(found.map(({ from, to, ...rest }) => ({ said: text.slice(from, to), ...rest }))).toEqual([
    { said: 'spam', field: 'text' },
    { said: 'spam', field: 'text' },
  ])
  expect(excerptAround('no spam', [{ from: 3, to: 7 }])).toEqual({ text: 'no spam', found: [{ from: 3, to: 7 }] })
  expect(excerptAround('nothing', [])).toEqual({ text: 'nothing', found: [] })
})
