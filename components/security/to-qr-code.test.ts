import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toQrCode } from './to-qr-code.ts'

/** What a reader made by others gave back, letter by letter, of each of these. */
test.each([
  ['a', 1, 21, 'bf35b1e154e92eb4'],
  ['x', 100, 37, '8329f9290d7ddd42'],
  ['é', 80, 49, '53abfb52dd5acc4d'],
  ['q', 300, 61, '740657cfcd53edda'],
  ['z', 500, 77, '77b8ff4fe39d7389'],
  ['w', 850, 97, 'bb5cbb384e970a39'],
])('%s, %i times, is the code that was read', (letter, times, size, digest) => {
  const modules = toQrCode(letter.repeat(times))
  expect(modules).toHaveLength(size)
  const drawn = modules.map((row) => row.map((isDark) => (isDark ? 1 : 0)).join('')).join('\n')
  expect(createHash('sha256').update(drawn).digest('hex').slice(0, 16)).toBe(digest)
})

test('what is too long for a code that a camera reads is refused', () => {
  expect(() => toQrCode('x'.repeat(859))).toThrow(RangeError)
})
