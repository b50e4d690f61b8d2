import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { openQueueExport, readQueueExport } from '#server/modules/review/export/export-queue.ts'
import { QueueExportInput } from '#server/modules/review/export/schema.ts'
import { asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)
const KEY = Buffer.alloc(32)

/** The lines of the file that this person gets for the filter. */
async function exported(actor: Actor, filter: object): Promise<string[]> {
  const link = await openQueueExport(as(actor), KEY, QueueExportInput.parse(filter))
  const pieces = await readQueueExport(async () => as(actor), KEY, link)
  return (await Array.fromAsync(pieces)).join('').trimEnd().split('\r\n')
}

test('exports what the filtered list shows, in its order, in more than one batch', async () => {
  const { communityId } = await make.community({ displayName: 'Hafen, Süd' })
  const { userId } = await make.user({ displayName: '=2+5' })
  const at = Date.parse('2026-03-01T00:00:00Z')
  const held = Array.from({ length: 600 }, (_, index) => ({
    commentId: `comment-${crypto.randomUUID()}`,
    targetType: 'community' as const,
    communityId,
    userId,
    dataTypes: ['text'],
    data: { text: index % 2 === 0 ? `even ${index}` : 'odd' },
    approvalStatus: 'pending' as const,
    createdAt: new Date(at + index * 1_000),
    queuedAt: new Date(at + index * 1_000),
  }))
  await prisma.comment.createMany({ data: held })
  const reviewer = await make.reviewerOf(communityId)

  const [header, first, ...rest] = await exported(reviewer, { communityId, text: 'EVEN', order: 'oldest' })
  expect(header?.startsWith('\uFEFFtype,id,community_id,community_name,')).toBe(true)
  expect(first).toBe(
    `comment,${held[0]?.commentId},${communityId},"Hafen, Süd",,,,${userId},'=2+5,2026-03-01T00:00:00.000Z,2026-03-01T00:00:00.000Z,,even 0,text,0,,,,,,,,`,
  )
  expect([first, ...rest].map((line) => line?.split(',')[1])).toEqual(
    held.filter((_, index) => index % 2 === 0).map(({ commentId }) => commentId),
  )

  const logged = await prisma.audit.findFirstOrThrow({ where: { action: 'queue.exported', communityId } })
  expect(logged).toMatchObject({ subjectId: 'waiting', after: { order: 'oldest' } })
  expect(await prisma.auditText.findFirst({ where: { auditId: logged.auditId } })).toMatchObject({ text: 'EVEN' })
})

test('exports each item of a large group with the same text', async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const at = Date.parse('2026-03-01T00:00:00Z')
  const held = Array.from({ length: 600 }, (_, index) => ({
    commentId: `comment-${crypto.randomUUID()}`,
    targetType: 'community' as const,
    communityId,
    userId,
    data: { text: 'the same words' },
    approvalStatus: 'pending' as const,
    queuedAt: new Date(at + index * 1_000),
  }))
  await prisma.comment.createMany({ data: held })
  const [, ...lines] = await exported(await make.reviewerOf(communityId), { communityId, order: 'oldest' })
  expect(lines.map((line) => line.split(',')[1])).toEqual(held.map(({ commentId }) => commentId))
})

test('names who has claimed an item, and until when', async () => {
  const { communityId, commentId } = await make.heldComment()
  const reviewer = await make.reviewerOf(communityId ?? '')
  const colleague = await make.reviewerOf(communityId ?? '')
  const user = await prisma.user.update({ where: { userId: colleague.userId }, data: { displayName: 'Ana' } })
  await claim(as(asUser(user.userId)), { subjectType: 'comment', subjectId: commentId, isGroup: false })
  const { claimedUntil } = await prisma.reviewItem.findFirstOrThrow({ where: { subjectId: commentId } })
  const [header, line] = await exported(reviewer, { communityId })
  expect(header?.endsWith(',claimed_by,claimed_until,score')).toBe(true)
  expect(line?.endsWith(`,Ana,${claimedUntil?.toISOString()},`)).toBe(true)
})

test('exports nothing of what the caller may not review, and rejects other communities', async () => {
  const own = await make.heldComment({})
  const other = await make.heldComment({})
  const reviewer = await make.reviewerOf(own.communityId ?? '')
  const lines = await exported(reviewer, {})
  expect(lines.map((line) => line.split(',')[1])).toEqual(['id', own.commentId])
  expect(await exported(reviewer, { communityId: other.communityId }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await exported(reviewer, { communityId: 'none' }).catch(failureOf)).toBe('NOT_FOUND')
})

test('a link is valid for a minute, for its filter and for the person who asked for it', async () => {
  const { communityId } = await make.heldComment({})
  const reviewer = await make.reviewerOf(communityId ?? '')
  const colleague = await make.reviewerOf(communityId ?? '')
  const link = await openQueueExport(as(reviewer), KEY, QueueExportInput.parse({ communityId }))
  const failure = (ctx: Ctx, over = {}) => readQueueExport(async () => ctx, KEY, { ...link, ...over }).catch(failureOf)
  expect(await failure(as(colleague))).toBe('NOT_FOUND')
  expect(await failure(as(reviewer), { filter: '{}' })).toBe('NOT_FOUND')
  expect(await failure(as(reviewer, { now: () => new Date(Date.now() + 61_000) }))).toBe('NOT_FOUND')
})

test('the file ends with an error when the right to it ends while it is read', async () => {
  const { communityId } = await make.heldComment({})
  const reviewer = await make.reviewerOf(communityId ?? '')
  const link = await openQueueExport(as(reviewer), KEY, QueueExportInput.parse({ communityId }))
  const pieces = (await readQueueExport(async () => as(reviewer), KEY, link))[Symbol.asyncIterator]()
  await pieces.next()
  await prisma.communityUser.updateMany({ where: { userId: reviewer.userId }, data: { roles: [] } })
  expect(await pieces.next().catch(failureOf)).toBe('FORBIDDEN')

  const later = (await openFor(reviewer, communityId))[Symbol.asyncIterator]()
  await later.next()
  expect(await later.next().catch(failureOf)).toBe('UNAUTHORIZED')
})

/** A file whose reader signs out and in again as somebody else once it has begun. */
async function openFor(actor: Actor, communityId: string | null) {
  await prisma.communityUser.updateMany({
    where: { userId: 'userId' in actor ? (actor.userId ?? '') : '' },
    data: { roles: ['community-moderator'] },
  })
  const link = await openQueueExport(as(actor), KEY, QueueExportInput.parse({ communityId }))
  const { userId } = await make.user()
  const contexts = [as(actor)]
  return readQueueExport(async () => contexts.pop() ?? as(asUser(userId)), KEY, link)
}
