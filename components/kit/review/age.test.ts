import { expect, test } from 'vitest'
import { ageLevel, SERVICE_TARGET_MS } from './age.ts'

test.each([
  [0, 0],
  [0.25, 1],
  [0.5, 2],
  [0.999, 2],
  [1, 3],
  [5.999, 3],
  [6, 4],
])('at %d of the target the age has level %d', (share, level) => {
  expect(ageLevel(share * SERVICE_TARGET_MS)).toBe(level)
})
