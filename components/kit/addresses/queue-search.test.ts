import { expect, test } from 'vitest'
import { loadQueueSearch, ofItsView, toQueueInput, toQueuePath } from './queue-search.ts'

test('a link restores the same search', () => {
  const search = {
    view: 'escalated',
    communityId: 'a/b&c',
    kind: 'post',
    postId: 'p #1',
    startDate: '2026-11-09',
    endDate: '2026-11-15',
    timeZone: 'Asia/Kathmandu',
    authorId: 'ユーザー',
    text: `100% "sure" + it's 東京 \\`,
    hasMedia: true,
    isFlagged: true,
    heldForMinutes: 90,
    heldUnderMinutes: 120,
    order: 'oldest',
    savedView: 'v1',
    item: 'post:x',
  } as const
  expect(loadQueueSearch(new URL(toQueuePath(search), 'http://desk.example'))).toEqual(search)
})

test('ignores invalid search parameters', () => {
  const search = loadQueueSearch(
    '?startDate=yesterday&timeZone=Mars/Olympus&order=random&kind=story&hasMedia=yes&heldForMinutes=0&text=',
  )
  expect(search).toMatchObject({
    startDate: null,
    timeZone: null,
    order: 'newest',
    kind: null,
    hasMedia: null,
    heldForMinutes: null,
    text: null,
  })
})

test('ignores filters and the order of another view', () => {
  const kind = (view: string, kind: string) => ofItsView(loadQueueSearch(`?view=${view}&kind=${kind}`)).kind
  expect([kind('waiting', 'message'), kind('escalated', 'post')]).toEqual([null, 'post'])
  expect([kind('reported', 'message'), kind('reported', 'user')]).toEqual(['message', 'user'])
  const reported = loadQueueSearch('?view=reported&communityId=harbour&text=boat&endDate=2026-11-15&order=oldest')
  expect(toQueueInput(ofItsView(reported), 'UTC')).toEqual({
    view: 'reported',
    communityId: 'harbour',
    order: 'oldest',
  })
  const order = (view: string) => ofItsView(loadQueueSearch(`?view=${view}&order=urgent`)).order
  expect(['waiting', 'mine', 'escalated', 'reported'].map(order)).toEqual(['urgent', 'newest', 'newest', 'newest'])
})

test('keeps the time zone only together with days', () => {
  expect(toQueueInput(loadQueueSearch(''), 'Asia/Kathmandu')).toEqual({ order: 'newest' })
  expect(toQueueInput(loadQueueSearch('?endDate=2026-11-15'), 'Asia/Kathmandu')).toEqual({
    endDate: '2026-11-15',
    timeZone: 'Asia/Kathmandu',
    order: 'newest',
  })
})
