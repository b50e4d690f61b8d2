import { expect, test } from 'vitest'
import { loadQueueSearch, toQueueInput, toQueuePath } from './queue-search.ts'

test('a link shows a colleague the same thing', () => {
  const path = toQueuePath({ communityId: 'a/b&c', startDate: '2026-11-09', order: 'oldest', item: 'x' })
  expect(loadQueueSearch(new URL(path, 'http://desk.example'))).toMatchObject({
    communityId: 'a/b&c',
    startDate: '2026-11-09',
    order: 'oldest',
    item: 'x',
    postId: null,
  })
})

test('what a link says wrongly is left out', () => {
  const search = loadQueueSearch('?startDate=yesterday&timeZone=Mars/Olympus&order=random')
  expect(search).toMatchObject({ startDate: null, timeZone: null, order: 'newest' })
})

test('the zone counts only where days do', () => {
  expect(toQueueInput(loadQueueSearch(''), 'Asia/Kathmandu')).toEqual({ order: 'newest' })
  expect(toQueueInput(loadQueueSearch('?endDate=2026-11-15'), 'Asia/Kathmandu')).toEqual({
    endDate: '2026-11-15',
    timeZone: 'Asia/Kathmandu',
    order: 'newest',
  })
})
