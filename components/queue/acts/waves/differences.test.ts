import { expect, test } from 'vitest'
import { differences } from './differences.ts'

const marked = (other: string, text: string) => differences(other, text).map(({ from, to }) => text.slice(from, to))

test('marks the words that are added or replaced, and nothing in the same text', () => {
  expect(marked('Cheap watches today, call us', 'Cheap gold watches now, call us')).toEqual(['gold', 'now'])
  expect(marked('Cheap watches', 'Cheap watches')).toEqual([])
  expect(marked('Cheap watches today', 'cheap, watches!')).toEqual([])
})

test('marks words in languages without spaces', () => {
  expect(marked('今天天气很好', '今天天气不好').length).toBeGreaterThan(0)
})

test('marks nothing after the last common word of excerpts that are cut', () => {
  expect(marked('Buy watches at the harb…', 'Buy fine watches at the…')).toEqual(['fine'])
  expect(marked('Buy watches', 'Sell boats…')).toEqual([])
})
