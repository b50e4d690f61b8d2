import { expect, test, vi } from 'vitest'
import { pagerProps } from './pager-props.ts'

test('links to the neighbouring pages that exist', () => {
  const turn = vi.fn()
  const first = pagerProps({ data: { next: 'second' }, isPlaceholderData: false }, turn)
  expect(first.onPrevious).toBeUndefined()
  first.onNext?.()
  pagerProps({ data: { next: 'third', previous: 'first' }, isPlaceholderData: false }, turn).onPrevious?.()
  expect(turn.mock.calls).toEqual([
    ['second', 1],
    ['first', -1],
  ])
})

test('has no links before anything is loaded', () => {
  expect(pagerProps({ data: undefined, isPlaceholderData: false }, vi.fn())).toEqual({
    onPrevious: undefined,
    onNext: undefined,
  })
})

test('disables the links while another page loads', () => {
  const turn = vi.fn()
  const { onNext, onPrevious } = pagerProps(
    { data: { next: 'third', previous: 'first' }, isPlaceholderData: true },
    turn,
  )
  onNext?.()
  onPrevious?.()
  expect([onNext, onPrevious]).not.toContain(undefined)
  expect(turn).not.toHaveBeenCalled()
})
