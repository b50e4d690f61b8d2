import { expect, test } from 'vitest'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import { createRecent } from './recent.ts'

const event = (seq: number): LiveMessage => ({
  kind: 'event',
  seq,
  name: 'desk.comment.didHold',
  subjectType: 'comment',
  subjectId: `comment-${seq}`,
})
const ready = (seq: number): LiveMessage => ({ kind: 'ready', seq, leases: [] })

test('skips events that were received before or are older than the page', () => {
  const recent = createRecent()
  recent.begin(10)
  expect([9, 10, 12, 12, 11, 15].map((seq) => recent.add(event(seq)))).toEqual([false, false, true, false, false, true])
  expect(recent.position()).toBe(15)
})

test('a tab that opens later receives exactly the events it missed', () => {
  const recent = createRecent()
  recent.begin(10)
  for (const message of [event(11), event(14), ready(20)]) recent.add(message)
  expect(recent.after(11)).toEqual([event(14)])
  expect(recent.after(10)).toEqual([event(11), event(14)])
  expect(recent.after(20)).toEqual([])
})

test('reports when missed events are no longer available', () => {
  const recent = createRecent()
  recent.begin(10)
  expect(recent.after(9)).toBeUndefined()
  for (let seq = 11; seq <= 511; seq += 1) recent.add(event(seq))
  expect(recent.after(10)).toBeUndefined()
  expect(recent.after(11)).toHaveLength(500)
  recent.add({ kind: 'reset', seq: 600 })
  expect(recent.after(511)).toBeUndefined()
  expect(recent.after(600)).toEqual([])
})

test('without a start position it begins with the first event', () => {
  const recent = createRecent()
  recent.add(ready(7))
  expect(recent.position()).toBe(7)
  expect(recent.add(event(7))).toBe(false)
  expect(recent.after(7)).toEqual([])
})
