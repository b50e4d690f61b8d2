import { expect, test } from 'vitest'
import { swipeOf } from './swipe.ts'

const by = (x: number, y: number, width = 320) => swipeOf({ startX: 100, startY: 100, x: 100 + x, y: 100 + y }, width)

test('to the right approves and to the left rejects, once far enough', () => {
  expect(by(120, 5)).toEqual({ kind: 'sideways', by: 120, outcome: 'yes', isFarEnough: true })
  expect(by(-120, -5)).toEqual({ kind: 'sideways', by: -120, outcome: 'no', isFarEnough: true })
  expect(by(90, 0)).toMatchObject({ isFarEnough: false })
})

test('on a wider item the way is longer', () => {
  expect(by(120, 0, 640)).toMatchObject({ isFarEnough: false })
  expect(by(230, 0, 640)).toMatchObject({ isFarEnough: true })
})

test('up, down and at a slant scroll, and a tap is nothing', () => {
  expect(by(10, 40)).toEqual({ kind: 'scroll' })
  expect(by(60, 40)).toEqual({ kind: 'scroll' })
  expect(by(5, 5)).toEqual({ kind: 'none' })
})
