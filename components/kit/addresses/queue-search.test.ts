import { expect, test } from 'vitest'
import { loadQueueSearch, toOrderedPath, toQueueInput, toQueuePath, withoutForeignFilters } from './queue-search.ts'

test('a link restores the same search', () => {
  const search = {
    view: 'escalated',
    communityId: 'a/b&c',
    kind: 'post',
    postId: 'p #1',
    startDate: '2026-11-09',
    endDate: '2026-11-15',
    timeZone: 'Asia/Kathmandu',
    period: 'last7',
    authorId: 'ユーザー',
    text: `100% "sure" + it's 東京 \\`,
    hasMedia: true,
    isFlagged: true,
    heldForMinutes: 90,
    heldUnderMinutes: 120,
    queueId: 'q 1',
    ruleId: 'r/1',
    label: 'Spoiler?',
    signal: 'spam.links',
    scoreFrom: 0.35,
    scoreUnder: 0.7,
    order: 'oldest',
    savedView: 'v1',
    item: 'post:x',
  } as const
  expect(loadQueueSearch(new URL(toQueuePath(search), 'http://desk.example'))).toEqual(search)
})

test('ignores invalid search parameters', () => {
  const search = loadQueueSearch(
    '?startDate=yesterday&timeZone=Mars/Olympus&order=random&kind=story&hasMedia=yes&heldForMinutes=0&text=&label=+&signal=No+signal&scoreFrom=0.51&scoreUnder=1',
  )
  expect(search).toMatchObject({
    startDate: null,
    timeZone: null,
    order: 'newest',
    kind: null,
    hasMedia: null,
    heldForMinutes: null,
    text: null,
    label: null,
    signal: null,
    scoreFrom: null,
    scoreUnder: null,
  })
})

test('asks for scores of a signal only, and for no empty range', () => {
  const asked = (search: string) => toQueueInput(withoutForeignFilters(loadQueueSearch(search)), 'UTC')
  expect(asked('?scoreFrom=0.5&order=score')).toEqual({ order: 'newest' })
  expect(asked('?signal=toxicity&scoreFrom=0.8&scoreUnder=0.6&order=score')).toEqual({
    signal: 'toxicity',
    order: 'score',
  })
  expect(asked('?signal=toxicity&scoreFrom=0.8&order=score')).toEqual({
    signal: 'toxicity',
    scoreFrom: 0.8,
    order: 'score',
  })
  expect(asked('?view=mine&signal=toxicity&order=score')).toEqual({ view: 'mine', signal: 'toxicity', order: 'newest' })
})

test('ignores filters and the order of another view', () => {
  const kind = (view: string, kind: string) => withoutForeignFilters(loadQueueSearch(`?view=${view}&kind=${kind}`)).kind
  expect([kind('waiting', 'message'), kind('escalated', 'post')]).toEqual([null, 'post'])
  expect([kind('reported', 'message'), kind('reported', 'user')]).toEqual(['message', 'user'])
  const reported = loadQueueSearch('?view=reported&communityId=harbour&text=boat&endDate=2026-11-15&order=oldest')
  expect(toQueueInput(withoutForeignFilters(reported), 'UTC')).toEqual({
    view: 'reported',
    communityId: 'harbour',
    order: 'oldest',
  })
  const order = (view: string) => withoutForeignFilters(loadQueueSearch(`?view=${view}&order=urgent`)).order
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

test('an address with sort means the order of that name', () => {
  expect(toOrderedPath({ sort: 'urgent', communityId: 'c' })).toBe('/queue?communityId=c&order=urgent')
  expect(toOrderedPath({ sort: 'urgent', order: 'oldest' })).toBe('/queue?order=oldest')
  expect(toOrderedPath({ sort: 'nonsense' })).toBe('/queue')
  expect(toOrderedPath({ order: 'urgent' })).toBeUndefined()
})
