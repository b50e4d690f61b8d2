import { expect, test } from 'vitest'
import { SAMPLE_DAY } from '#server/testing/sample-day.ts'
import { IS_STRESS, sampled, sampledRuns } from '#server/testing/scaled.ts'

const LETTERS = [...'abcdefghij']

test('a sample has as many as wanted, in their order, and all of them in stress', () => {
  const three = sampled(LETTERS, 3)
  expect(three).toEqual(IS_STRESS ? LETTERS : three.toSorted())
  expect(new Set(three).size).toBe(IS_STRESS ? LETTERS.length : 3)
  expect(sampled(LETTERS, 20)).toEqual(LETTERS)
})

test('of each run of equal values one is sampled, another for the next offset, and all of them in stress', () => {
  const values = [401, 200, 200, 200, 401, 401]
  const all = [...values.keys()]
  expect(sampledRuns(values)).toEqual(IS_STRESS ? all : [0, 1 + (SAMPLE_DAY % 3), 4 + (SAMPLE_DAY % 2)])
  expect(new Set([0, 1, 2].flatMap((offset) => sampledRuns(values, offset)))).toEqual(new Set(all))
})
