import { expect, test } from 'vitest'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { groupExceptions } from './exceptions.ts'

const item = (subjectId: string, more: Partial<PreviewedItem>): PreviewedItem => ({
  subjectType: 'comment',
  subjectId,
  version: 1,
  excerpt: '',
  isFlagged: false,
  authorName: '',
  communityName: '',
  ...more,
})
const by = (decidedByName: string, outcome: 'approved' | 'rejected' = 'approved') =>
  ({ error: 'CHANGED', decided: { outcome, decidedByName, decidedAt: '2026-11-15T08:00:00.000Z' } }) as const

test('groups exceptions by reason, including who decided what', () => {
  const groups = groupExceptions([
    item('1', { error: 'FORBIDDEN' }),
    item('2', by('Mina')),
    item('3', { error: 'CHANGED' }),
    item('4', by('Mina', 'rejected')),
    item('5', { error: 'FORBIDDEN' }),
    item('6', by('Mina')),
    item('7', { error: 'NOT_FOUND' }),
    item('8', {}),
  ])
  expect(groups.map(({ why, items }) => [why, items.map(({ subjectId }) => subjectId).join()])).toEqual([
    ['own', '1,5'],
    ['decided', '2,6'],
    ['changed', '3'],
    ['decided', '4'],
    ['gone', '7'],
    ['refused', '8'],
  ])
})
