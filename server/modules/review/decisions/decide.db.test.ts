import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { keyFor } from '#server/core/secret.ts'
import { verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { Deciding } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { scaled } from '#server/testing/scaled.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'

const decideComment = (ctx: Ctx, { commentId, ...deciding }: Deciding & { commentId: string }) =>
  decide(ctx, { subjectType: 'comment', subjectId: commentId, ...deciding })

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over = {}) => ctxOf(database, actor, over)
const key = keyFor('a secret for tests, long enough to be one', 'audit')

const stateOf = (commentId: string) =>
  prisma.comment.findUniqueOrThrow({
    where: { commentId },
    select: { approvalStatus: true, isDeleted: true, version: true },
  })
const auditOf = (subjectId: string) => prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })

test('a rejection also deletes the comment, and its reason is stored beside the log, not in it', async () => {
  const comment = await make.heldComment()
  const reviewer = await make.reviewerOf(comment.communityId)

  await decideComment(as(reviewer), {
    commentId: comment.commentId,
    version: 1,
    outcome: 'rejected',
    reason: 'Names a private person',
  })

  expect(await stateOf(comment.commentId)).toEqual({ approvalStatus: 'rejected', isDeleted: true, version: 2 })
  const [row] = await auditOf(comment.commentId)
  expect(JSON.stringify({ ...row, auditId: null })).not.toContain('private person')
  expect(row?.textDigest).toHaveLength(32)
  expect(await prisma.auditText.findUnique({ where: { auditId: row?.auditId ?? 0n } })).toMatchObject({
    text: 'Names a private person',
  })
})

const ROUNDS = scaled(20)

test(`of two concurrent decisions exactly one wins, ${ROUNDS} times over, with one audit row and no partial state`, async () => {
  const { communityId } = await make.community()
  const [first, second] = await Promise.all([make.reviewerOf(communityId), make.reviewerOf(communityId)])
  const rounds = Array.from({ length: ROUNDS }, (_, index) => index)

  for (let start = 0; start < rounds.length; start += 5) {
    await Promise.all(
      rounds.slice(start, start + 5).map(async (round) => {
        const { commentId } = await make.heldComment({ communityId })
        const deciders = round % 2 === 0 ? [first, second] : [second, first]
        const [one, other] = await Promise.allSettled([
          decideComment(as(deciders[0] ?? first), { commentId, version: 1, outcome: 'approved' }),
          decideComment(as(deciders[1] ?? second), { commentId, version: 1, outcome: 'rejected', reason: 'no' }),
        ])
        expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected'])
        const winner = one.status === 'fulfilled' ? 'approved' : 'rejected'
        expect(await stateOf(commentId)).toEqual({
          approvalStatus: winner,
          isDeleted: winner === 'rejected',
          version: 2,
        })
        expect(await auditOf(commentId)).toMatchObject([{ action: `comment.${winner}` }])
        expect(await prisma.event.count({ where: { subjectId: commentId } })).toBe(1)
        expect(await prisma.decision.count({ where: { subjectId: commentId } })).toBe(1)
      }),
    )
  }

  expect((await countQueue(as(first))).total).toBe(0)
  const recount = await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })
  expect(recount).toBe(0)
})

test('the second reviewer learns who decided what, and when', async () => {
  const comment = await make.heldComment()
  const [first, second] = await Promise.all([
    make.reviewerOf(comment.communityId),
    make.reviewerOf(comment.communityId),
  ])
  const { commentId } = comment
  await decideComment(as(first), { commentId, version: 1, outcome: 'rejected' })

  const error = await decideComment(as(second), { commentId, version: 1, outcome: 'approved' }).catch(
    (error: unknown) => error,
  )

  expect(failureOf(error)).toBe('CHANGED')
  expect(error).toMatchObject({
    details: {
      decision: 'rejected',
      decidedBy: first.userId,
      decidedByName: first.name,
      version: 2,
      decidedAt: expect.any(String),
    },
  })
})

test('rejects an outdated version; without a version decides the current one', async () => {
  const comment = await make.heldComment()
  const { commentId } = comment
  const reviewer = await make.reviewerOf(comment.communityId)
  await prisma.comment.update({ where: { commentId }, data: { version: 4, editedAt: new Date() } })

  const error = await decideComment(as(reviewer), { commentId, version: 3, outcome: 'approved' }).catch(failureOf)
  expect(error).toBe('CHANGED')
  await decideComment(as(reviewer), { commentId, outcome: 'approved' })
  expect(await stateOf(commentId)).toMatchObject({ approvalStatus: 'approved', version: 5 })
})

test('hides a held comment from strangers, members and other reviewers; its author may see it but not decide', async () => {
  const comment = await make.heldComment()
  const { commentId, communityId } = comment
  const elsewhere = await make.reviewerOf((await make.community()).communityId)
  const plain = await make.user()
  await make.member({ communityId, userId: plain.userId })
  const former = await make.user()
  await make.member({ communityId, userId: former.userId, membership: 'none', roles: ['community-moderator'] })
  const decide = (actor: Actor) =>
    decideComment(as(actor), { commentId, version: 1, outcome: 'approved' }).catch(failureOf)

  expect(await decide(elsewhere)).toBe('NOT_FOUND')
  expect(await decide(asUser(plain.userId))).toBe('NOT_FOUND')
  expect(await decide(asUser(former.userId))).toBe('NOT_FOUND')
  expect(await decide({ kind: 'nobody' })).toBe('NOT_FOUND')
  expect(await decide(asAdmin(['VIEW_HISTORY']))).toBe('NOT_FOUND')
  expect(await decide(asUser(comment.userId))).toBe('FORBIDDEN')
  expect(await decide(asAdmin())).toMatchObject({ version: 2 })
})

test('a decision on a public comment is forbidden rather than not found', async () => {
  const comment = await make.heldComment({ approvalStatus: 'approved' })
  const stranger = await make.user()

  expect(
    await decideComment(as(asUser(stranger.userId)), { commentId: comment.commentId, outcome: 'rejected' }).catch(
      failureOf,
    ),
  ).toBe('FORBIDDEN')
})

test('rejects a late undo, a second undo, and an undo of an item that has changed since', async () => {
  const clock = clockAt('2026-01-01T00:00:00Z')
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const ctx = as(reviewer, { now: clock.now, undoWindowMs: 10_000 })
  const decide = async () =>
    decideComment(ctx, { commentId: (await make.heldComment({ communityId })).commentId, outcome: 'approved' })

  const late = await decide()
  clock.advance(10_000)
  expect(await undoDecision(ctx, late).catch(failureOf)).toBe('CHANGED')

  const twice = await decide()
  await undoDecision(ctx, twice)
  expect(await undoDecision(ctx, twice).catch(failureOf)).toBe('CHANGED')
  await decideComment(ctx, { commentId: twice.subjectId, outcome: 'rejected' })
  expect(await undoDecision(ctx, twice).catch(failureOf)).toBe('CHANGED')
})

test('of a concurrent undo and release exactly one happens', async () => {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const system = systemCtx(database)
  for (let round = 0; round < scaled(5); round += 1) {
    const clock = clockAt('2026-01-01T00:00:00Z')
    const { commentId } = await make.heldComment({ communityId })
    const { decisionId } = await decideComment(as(reviewer, { now: clock.now, undoWindowMs: 1_000 }), {
      commentId,
      outcome: 'approved',
    })
    await sequenceBatch({ ...system, now: clock.now }, key)

    const later = { now: () => new Date(clock.now().getTime() + 1_000) }
    const [undone] = await Promise.allSettled([
      undoDecision(as(reviewer, { now: clock.now }), { decisionId }),
      sequenceBatch({ ...system, ...later }, key),
    ])

    const { approvalStatus } = await stateOf(commentId)
    const event = await prisma.event.findFirstOrThrow({ where: { subjectId: commentId, isDeskOnly: false } })
    expect([approvalStatus, event.state]).toEqual(
      undone.status === 'fulfilled' ? ['pending', 'cancelled'] : ['approved', 'released'],
    )
  }
})

test("rejects an undo of a colleague's decision as forbidden, and of one outside the caller's scope as not found", async () => {
  const comment = await make.heldComment()
  const [reviewer, colleague] = await Promise.all([
    make.reviewerOf(comment.communityId),
    make.reviewerOf(comment.communityId),
  ])
  const elsewhere = await make.reviewerOf((await make.community()).communityId)
  const { decisionId } = await decideComment(as(reviewer), { commentId: comment.commentId, outcome: 'approved' })

  expect(await undoDecision(as(colleague), { decisionId }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await undoDecision(as(elsewhere), { decisionId }).catch(failureOf)).toBe('NOT_FOUND')
  expect(await undoDecision(as(elsewhere), { decisionId: '999999999' }).catch(failureOf)).toBe('NOT_FOUND')
})

test('a decision over REST is published at once and cannot be undone', async () => {
  const comment = await make.heldComment()
  const reviewer = await make.reviewerOf(comment.communityId)
  const ctx = as(reviewer, { source: 'rest', undoWindowMs: 0 })
  const { decisionId } = await decideComment(ctx, { commentId: comment.commentId, outcome: 'approved' })

  expect(await prisma.event.findFirst({ where: { subjectId: comment.commentId } })).toMatchObject({ state: 'released' })
  expect(await undoDecision(ctx, { decisionId }).catch(failureOf)).toBe('CHANGED')
})

async function decideAndUndo() {
  const { commentId, communityId } = await make.heldComment()
  const ctx = as(await make.reviewerOf(communityId))
  const { decisionId } = await decideComment(ctx, { commentId, outcome: 'rejected' })
  await undoDecision(ctx, { decisionId })
  await decideComment(ctx, { commentId, outcome: 'approved' })
}

test('decisions and undos are in the audit chain once sealed', async () => {
  await decideAndUndo()
  const system = systemCtx(database)
  while (await sequenceBatch(system, key)) {}
  expect(await verifyChain(system, key)).toMatchObject({ verified: true, unsealed: 0 })
})
