import { expect, test } from 'vitest'
import { parseRecord } from '#server/modules/integrations/imports/parse-record.ts'
import { makeSample } from './sample.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const { records, moderatedCommunityId } = makeSample(NOW)
const comments = records.filter((record) => record.type === 'comment')
const held = comments.filter(({ approvalStatus }) => approvalStatus === 'pending')

test('every record can be imported, and none is dated later than now', () => {
  const refused = records
    .map((record) => parseRecord(JSON.parse(JSON.stringify(record)), NOW.toISOString()))
    .filter((parsed) => 'reason' in parsed)
  expect(refused).toEqual([])
  expect(
    records.filter(({ createdAt }) => createdAt === undefined || createdAt === null || createdAt > NOW.toISOString()),
  ).toEqual([])
})

test('the same moment gives the same sample; another moment gives the same sample at other times', () => {
  expect(makeSample(NOW).records).toEqual(records)
  const later = makeSample(new Date(NOW.getTime() + 60_000)).records.filter((record) => record.type === 'comment')
  expect(later.map(({ commentId }) => commentId)).toEqual(comments.map(({ commentId }) => commentId))
  expect(later[0]?.createdAt).not.toEqual(comments[0]?.createdAt)
})

test('the queue has dozens of comments, held from minutes to two days ago, some of them written long before', () => {
  const waits = held.map(({ queuedAt }) => (NOW.getTime() - Date.parse(queuedAt ?? '')) / 3_600_000)
  expect(held.length).toBeGreaterThanOrEqual(55)
  expect(Math.min(...waits)).toBeLessThan(0.1)
  expect(Math.max(...waits)).toBeLessThan(48)
  expect(held.filter(({ createdAt, queuedAt }) => String(createdAt) < String(queuedAt)).length).toBeGreaterThanOrEqual(
    5,
  )
  expect(held.filter(({ targetId }) => targetId === moderatedCommunityId).length).toBeGreaterThanOrEqual(25)
})

test('a reply belongs to a comment on the same post and is later than it', () => {
  const byId = new Map(comments.map((comment) => [comment.commentId, comment]))
  expect(byId.size).toBe(comments.length)
  const replies = comments.flatMap((comment) =>
    comment.parentId ? [{ comment, parent: byId.get(comment.parentId) }] : [],
  )
  expect(replies.length).toBeGreaterThanOrEqual(25)
  for (const { comment, parent } of replies) {
    expect(parent?.referenceId).toBe(comment.referenceId)
    expect(String(comment.createdAt) > String(parent?.createdAt)).toBe(true)
  }
})

test('one community no longer holds new items and still has a backlog', () => {
  const open = records.filter((record) => record.type === 'community' && !record.needApprovalOnCommentCreation)
  expect(open).toHaveLength(1)
  expect(
    held.filter(({ targetId }) => open.some((record) => record.type === 'community' && record.communityId === targetId))
      .length,
  ).toBeGreaterThanOrEqual(10)
})

test('flags are later than the flagged content and come from people who can see it', () => {
  const { flags } = makeSample(NOW)
  const written = new Map(
    records.flatMap((record): [string, string | null | undefined][] => {
      if (record.type === 'comment') return [[`comment:${record.commentId}`, record.createdAt]]
      if (record.type === 'message') return [[`message:${record.messageId}`, record.createdAt]]
      return record.type === 'user' ? [[`user:${record.userId}`, record.createdAt]] : []
    }),
  )
  expect(new Set(flags.map(({ subject }) => subject.subjectType)).size).toBe(3)
  for (const { subject, at } of flags) {
    expect(written.get(`${subject.subjectType}:${subject.subjectId}`)).toBeDefined()
    expect(at > String(written.get(`${subject.subjectType}:${subject.subjectId}`))).toBe(true)
    expect(at < NOW.toISOString()).toBe(true)
  }
})
