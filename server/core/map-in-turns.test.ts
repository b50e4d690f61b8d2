import { expect, test } from 'vitest'
import { mapInTurns } from '#server/core/map-in-turns.ts'

test('maps all items in their order, and others have their turn after each hundred', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    waiting = setImmediate(count)
  }
  let waiting = setImmediate(count)
  const items = Array.from({ length: 350 }, (_, index) => index)

  const seen = await mapInTurns(items, (item) => [item * 2, turns])

  clearImmediate(waiting)
  expect(seen.map(([doubled]) => doubled)).toEqual(items.map((item) => item * 2))
  expect(seen[99]?.[1]).toBe(0)
  expect(seen[349]?.[1]).toBeGreaterThanOrEqual(3)
})
