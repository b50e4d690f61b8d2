import { expect, test } from 'vitest'
import type { PastDecision, ReviewItem, SameWords } from '#server/modules/review/items/schema.ts'
import { queueItem } from '../../testing/queue-item.ts'
import { mergeDecisions } from './merge-decisions.ts'

const at = (day: number) => `2026-11-${day}T08:00:00.000Z`
const past = (subjectId: string, day: number): PastDecision => ({
  subjectType: 'comment',
  subjectId,
  decisionId: `${day}`,
  outcome: 'rejected',
  decidedAt: at(day),
  decidedByName: 'Noor',
  excerpt: 'The same.',
  isReversible: false,
})
const same = (subjectId: string, day: number): SameWords => ({
  subjectType: 'comment',
  subjectId,
  outcome: 'rejected',
  decidedAt: at(day),
  decidedByName: 'Noor',
  community: { communityId: 'harbour', displayName: 'Harbour' },
})

function read(latest: PastDecision[], sameWords: SameWords[], more: Partial<ReviewItem> = {}): ReviewItem {
  return {
    item: queueItem({ subjectId: 'open' }),
    text: 'The ferry runs again.',
    earlier: 0,
    files: [],
    mentioned: [],
    isWaiting: true,
    replies: { held: 0, visible: 0 },
    author: {
      userId: 'author-1',
      displayName: 'Author',
      since: at(10),
      isGlobalBan: false,
      bans: [],
      treatments: [],
      notes: [],
      communities: [],
      otherHeld: 0,
      decisions: { approved: 0, rejected: latest.length, latest },
    },
    history: [],
    flags: [],
    signals: [],
    sameWords,
    ...more,
  }
}

test('shows a decision on the same text by the same author once, and says that the text is the same', () => {
  const { lines, sameWords } = mergeDecisions(
    read([past('1', 20), past('2', 19)], [same('1', 20), same('elsewhere', 18)]),
  )
  expect(lines.map(({ subjectId, isSameText }) => [subjectId, isSameText])).toEqual([
    ['1', true],
    ['2', false],
  ])
  expect(sameWords.map(({ subjectId }) => subjectId)).toEqual(['elsewhere'])
})

test('leaves the decisions on the open item to its history', () => {
  const latest = [past('open', 21), past('1', 20), past('2', 19), past('3', 18), past('4', 17)]
  const { lines } = mergeDecisions(read(latest, []))
  expect(lines.map(({ subjectId }) => subjectId)).toEqual(['1', '2', '3'])
})

test('says that a pending item is unchanged since its own decision, but not of a decided one', () => {
  const decided = { outcome: 'rejected', decidedByName: 'Noor', decidedAt: at(21), isReversible: false } as const
  expect(mergeDecisions(read([], [same('open', 15)])).sameWords).toHaveLength(1)
  expect(mergeDecisions(read([], [same('open', 15)], { decided })).sameWords).toEqual([])
})
