import { expect, test } from 'vitest'
import { borders, IS_STRESS, sampled } from '#server/testing/scaled.ts'

const LETTERS = [...'abcdefghij']

test('a sample is evenly spread and always the same, and all of them in stress', () => {
  expect(sampled(LETTERS, 3)).toEqual(IS_STRESS ? LETTERS : ['a', 'd', 'g'])
  expect(sampled(LETTERS, 20)).toEqual(LETTERS)
})

test('the borders of runs of equal values are their first and last, and all of them in stress', () => {
  const values = [401, 200, 200, 200, 401, 401, 401]
  expect(borders(values)).toEqual(IS_STRESS ? [...values.keys()] : [0, 1, 3, 4, 6])
})
