import { expect, test } from 'vitest'
import { moveItem } from './move-item.ts'

const ORDER = ['a', 'b', 'c', 'd']

test('moves an item and keeps the order of the others', () => {
  expect(moveItem(ORDER, { ids: ['d'], side: 'before', of: 'a' })).toEqual(['d', 'a', 'b', 'c'])
  expect(moveItem(ORDER, { ids: ['a'], side: 'after', of: 'c' })).toEqual(['b', 'c', 'a', 'd'])
  expect(moveItem(ORDER, { ids: ['a', 'c'], side: 'after', of: 'd' })).toEqual(['b', 'd', 'a', 'c'])
})

test('moving an item next to itself changes nothing', () => {
  expect(moveItem(ORDER, { ids: ['b'], side: 'before', of: 'b' })).toEqual(ORDER)
})
