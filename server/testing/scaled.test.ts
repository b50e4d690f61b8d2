import { expect, test } from 'vitest'
import { borders, IS_STRESS, sampled } from '#server/testing/scaled.ts'

const LETTERS = [...'abcdefghij']

test('a sample is evenly spread and always the same, and all of them in stress', () => {
  expect(sampled(LETTERS, 3)).toEqual(IS_STRESS ? LETTERS : ['a', 'd', 'g'])
  expect(sampled(LETTERS, 20)).toEqual(LETTERS)
})

test('the borders are on both sides of each change, and all of them in stress', () => {
  const values = [401, 401, 200, 200, 200, 403, 200, 200]
  expect(borders(values)).toEqual(IS_STRESS ? [...values.keys()] : [1, 2, 4, 5, 6])
  expect(borders([404, 404])).toEqual(IS_STRESS ? [0, 1] : [0])
})
