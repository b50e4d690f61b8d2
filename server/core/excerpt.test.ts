import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test('keeps a short text whole and ends a cut one with an ellipsis', () => {
  expect(excerptOf('  Where is my comment?\n')).toBe('Where is my comment?')
  expect(excerptOf('a'.repeat(120))).toBe('a'.repeat(120))
  expect(excerptOf(`${'a'.repeat(119)} bc`)).toBe(`${'a'.repeat(119)}…`)
  expect(excerptOf('')).toBeUndefined()
  expect(excerptOf('a'.repeat(300), 280)).toBe(`${'a'.repeat(280)}…`)
})

test('never cuts an emoji in half', () => {
  expect(excerptOf('🙂'.repeat(130))).toBe(`${'🙂'.repeat(120)}…`)
  expect(excerptOf('🙂'.repeat(100))).toBe('🙂'.repeat(100))
})
