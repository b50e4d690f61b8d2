import { expect, test } from 'vitest'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { queueItem } from '../../testing/queue-item.ts'
import { rejectedWith } from './rejected-with.ts'

const previewed = (subjectId: string, more: Partial<PreviewedItem> = {}): PreviewedItem => ({
  subjectType: 'comment',
  subjectId,
  version: 1,
  excerpt: '',
  isFlagged: false,
  authorName: 'A',
  communityName: 'H',
  ...more,
})
const idsOf = (items: PreviewedItem[]) => items.map(({ subjectId }) => subjectId)

test('rejects the item in front first, then the others of the author', () => {
  const item = queueItem({ subjectId: '2' })
  expect(idsOf(rejectedWith(item, [previewed('1'), previewed('2'), previewed('3')]))).toEqual(['2', '1', '3'])
})

test('rejects an escalated item in front, which is in no preview of pending items', () => {
  const item = queueItem({ subjectId: '2', version: 7 })
  expect(rejectedWith(item, [previewed('1')])[0]).toMatchObject({ subjectId: '2', version: 7 })
})

test('reports why the item in front cannot be rejected', () => {
  const item = queueItem({ subjectId: '2' })
  expect(rejectedWith(item, [previewed('2', { error: 'CHANGED' })])).toMatchObject([{ error: 'CHANGED' }])
})

test('leaves a reported or decided item in front as it is', () => {
  const item = queueItem({ subjectId: '2', allowed: ['dismissed', 'deleted'] })
  expect(idsOf(rejectedWith(item, [previewed('1')]))).toEqual(['1'])
})
