import { expect, test } from 'vitest'
import { sizeOfPattern } from '#server/modules/network/word-lists/pattern-size.ts'

test.each([
  ['casino', 6],
  [String.raw`a\.b`, 3],
  ['[abc]x', 6],
  ['x{255}', 255],
  ['x{2,255}y', 256],
  ['ab{3}', 4],
  ['(ab){3}', 12],
  ['((a{10}){10}){10}', 1_220],
  ['[ab]{10}', 40],
  ['a{0}b', 2],
  ['a{2,}', 2],
  ['a+b*', 4],
  ['', 0],
])('%j costs as much as %i characters', (pattern, size) => {
  expect(sizeOfPattern(pattern)).toBe(size)
})

test('repetitions in repetitions have no size that is too large to compare', () => {
  expect(sizeOfPattern(`${'('.repeat(80)}a${'{255})'.repeat(80)}`)).toBeGreaterThan(1e100)
})
