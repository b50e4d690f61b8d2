import { expect, test } from 'vitest'
import { forecastOf } from './forecast-of.ts'

const pace = (held: number, decided: number) => ({ days: 7, held, decided })

test('a queue from which more is decided than is held is empty after its length divided by the difference, rounded up', () => {
  expect(forecastOf(100, pace(70, 140))).toEqual({ will: 'empties', count: 10 })
  expect(forecastOf(101, pace(70, 140))).toEqual({ will: 'empties', count: 11 })
  expect(forecastOf(3, pace(0, 700))).toEqual({ will: 'empties', count: 1 })
})

test('a queue to which more comes grows by the difference, and one with as many stays', () => {
  expect(forecastOf(5, pace(10, 7))).toEqual({ will: 'grows', count: 0.4 })
  expect(forecastOf(5, pace(7, 7))).toEqual({ will: 'stays', count: 0 })
  expect(forecastOf(5, pace(0, 0))).toEqual({ will: 'stays', count: 0 })
  expect(forecastOf(0, pace(10, 7))).toEqual({ will: 'isEmpty', count: 0 })
})
