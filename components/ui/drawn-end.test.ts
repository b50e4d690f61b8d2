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
