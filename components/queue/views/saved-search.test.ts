import { expect, test } from 'vitest'
import { loadQueueSearch, toQueuePath } from '#components/kit/addresses/queue-search.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { defaultOf, isUnfiltered, matchesView, toSearch, toViewFilters } from './saved-search.ts'

const view = (given: Partial<SavedView> = {}): SavedView => ({
  viewId: 'v1',
  name: 'View',
  filters: { view: 'waiting', order: 'newest' },
  isShared: false,
  isDefault: false,
  isOwn: true,
  mayChange: true,
  mayMakeDefault: true,
  ...given,
})

test('a saved search restores its address', () => {
  const search = loadQueueSearch(
    '?view=escalated&communityId=a%26b&startDate=2026-11-09&timeZone=Asia/Kathmandu&text=100%25&hasMedia=true&order=oldest',
  )
  const saved = view({ filters: { view: 'waiting', ...toViewFilters(search, 'Asia/Kathmandu') } })
  const opened = loadQueueSearch(new URL(toQueuePath(toSearch(saved)), 'http://desk.example'))
  expect(opened).toEqual({ ...search, savedView: 'v1' })
  expect(matchesView(opened, saved)).toBe(true)
  expect(matchesView({ ...opened, text: 'other' }, saved)).toBe(false)
  expect(matchesView({ ...opened, isFlagged: true }, saved)).toBe(false)
  expect(matchesView({ ...opened, item: 'comment:1' }, saved)).toBe(true)
})

test('a view is saved with the period its days were chosen as, and opens with the days it has now', () => {
  const search = loadQueueSearch('?startDate=2026-11-09&endDate=2026-11-09&timeZone=UTC&period=today')
  const saved = view({ filters: { view: 'waiting', ...toViewFilters(search, 'UTC') } })
  expect(saved.filters.period).toBe('today')

  const tomorrow = view({ filters: { ...saved.filters, startDate: '2026-11-10', endDate: '2026-11-10' } })
  const opened = loadQueueSearch(new URL(toQueuePath(toSearch(tomorrow)), 'http://desk.example'))
  expect(opened).toMatchObject({ startDate: '2026-11-10', endDate: '2026-11-10', period: 'today' })
  expect(matchesView(opened, tomorrow)).toBe(true)
})

test('a personal default overrides the shared default', () => {
  const [own, shared] = [view({ isDefault: true }), view({ viewId: 'v2', isDefault: true, isShared: true })]
  expect(defaultOf([shared, own])).toBe(own)
  expect(defaultOf([shared, view()])).toBe(shared)
  expect(defaultOf([view()])).toBeUndefined()
})

test('any search parameter overrides the default view', () => {
  expect(isUnfiltered(loadQueueSearch(''))).toBe(true)
  expect(isUnfiltered(loadQueueSearch('?view=waiting&order=newest'))).toBe(true)
  expect(isUnfiltered(loadQueueSearch('?savedView=none'))).toBe(false)
  expect(isUnfiltered(loadQueueSearch('?item=comment:1'))).toBe(false)
})
