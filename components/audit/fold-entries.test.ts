import { expect, test } from 'vitest'
import type { ListedAuditEntry } from '#server/modules/desk/audit/schema.ts'
import { foldEntries } from './fold-entries.ts'

const entry = (auditId: string, requestId: string, action = 'channelUser.unbanned'): ListedAuditEntry => ({
  auditId,
  requestId,
  action,
  at: '2026-11-15T08:00:00.000Z',
  actor: { kind: 'system', id: 'worker' },
  source: 'cli',
  subject: { type: 'user', id: `user ${auditId}` },
})
const many = (count: number, requestId: string) =>
  Array.from({ length: count }, (_, index) => entry(`${requestId}${index}`, requestId))
const rowsOf = (entries: ListedAuditEntry[], unfolded: string[] = []) =>
  foldEntries(entries, new Set(unfolded)).map(({ entry, entries }) => `${entry.auditId} × ${entries.length}`)

test('folds many entries of one request that do the same into one row', () => {
  expect(rowsOf([entry('1', 'other'), ...many(100, 'a'), ...many(5, 'b')])).toEqual(['1 × 1', 'a0 × 100', 'b0 × 5'])
})

test('keeps a few entries apart, and those that do something else', () => {
  expect(rowsOf(many(4, 'a'))).toHaveLength(4)
  expect(rowsOf([...many(4, 'a'), entry('x', 'a', 'channelUser.banned'), ...many(4, 'a')])).toHaveLength(9)
})

test('shows the entries of a row that was opened', () => {
  expect(rowsOf(many(6, 'a'), ['a0'])).toHaveLength(6)
})
