import { expect, test, vi } from 'vitest'
import { pagerOf } from './pager-of.ts'

test('links to the neighbouring pages that exist', () => {
  const turn = vi.fn()
  const first = pagerOf({ data: { next: 'second' }, isPlaceholderData: false }, turn)
  expect(first.onPrevious).toBeUndefined()
  first.onNext?.()
  pagerOf({ data: { next: 'third', previous: 'first' }, isPlaceholderData: false }, turn).onPrevious?.()
  expect(turn.mock.calls).toEqual([
    ['second', 1],
    ['first', -1],
  ])
})

test('has no links before anything is loaded', () => {
  expect(pagerOf({ data: undefined, isPlaceholderData: false }, vi.fn())).toEqual({
    onPrevious: undefined,
    onNext: undefined,
  })
})

test('disables the links while another page loads', () => {
  const turn = vi.fn()
  const { onNext, onPrevious } = pagerOf({ data: { next: 'third', previous: 'first' }, isPlaceholderData: true }, turn)
  onNext?.()
  onPrevious?.()
  expect([onNext, onPrevious]).not.toContain(undefined)
  expect(turn).not.toHaveBeenCalled()
})
