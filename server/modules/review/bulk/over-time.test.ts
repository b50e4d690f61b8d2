import { expect, test } from 'vitest'
import { overTime } from './over-time.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 12, minutes))

test('counts what was held in each of 24 pieces, the first and the last included', () => {
  const { from, to, counts } = overTime([at(24), at(0), at(1), at(23), at(12)])
  expect([from, to]).toEqual(['2026-11-20T12:00:00.000Z', '2026-11-20T12:24:00.000Z'])
  expect(counts).toHaveLength(24)
  expect(counts.flatMap((count, piece) => (count > 0 ? [[piece, count]] : []))).toEqual([
    [0, 1],
    [1, 1],
    [12, 1],
    [23, 2],
  ])
})

test('what was held at one instant is one piece', () => {
  expect(overTime([at(3), at(3)]).counts).toEqual([2])
})
