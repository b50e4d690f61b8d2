import { expect, test, vi } from 'vitest'
import { pagerOf } from './pager-of.ts'

test('a way leads to the page beside this one, and there is none where no page is', () => {
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

test('where nothing is read, nothing leads on', () => {
  expect(pagerOf({ data: undefined, isPlaceholderData: false }, vi.fn())).toEqual({
    onPrevious: undefined,
    onNext: undefined,
  })
})

test('while another page is read, the ways of the one in sight are there and lead nowhere', () => {
  const turn = vi.fn()
  const { onNext, onPrevious } = pagerOf({ data: { next: 'third', previous: 'first' }, isPlaceholderData: true }, turn)
  onNext?.()
  onPrevious?.()
  expect([onNext, onPrevious]).not.toContain(undefined)
  expect(turn).not.toHaveBeenCalled()
})
