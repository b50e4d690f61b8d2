import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { claim, release } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { ReviewHandler, ReviewItem } from '#server/modules/review/decisions/handlers/handler.ts'
import { HANDLERS } from '#server/modules/review/decisions/handlers/handlers.ts'
import type { LockedItem } from '#server/modules/review/decisions/lock-pending.ts'
import type { ItemKind, Outcome } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { deescalate, escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import { takeLease } from '#server/modules/review/leases/take-lease.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { mayReviewHeld } from '#server/modules/review/queue/held.ts'
import type { Kind } from '#server/modules/review/queue/kind.ts'
import { KINDS } from '#server/modules/review/queue/kinds.ts'
import { listKind } from '#server/modules/review/queue/list-kind.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { HELD_ITEM, type ItemRow, namedItems, toQueueItem } from '#server/modules/review/queue/queue-item.ts'
import { DeskFilter, DeskQueueInput, type QueueView } from '#server/modules/review/queue/schema.ts'
import { asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()

// As if the schemas named it: a new kind adds its names to these.
const SECOND_LOOK = 'secondLook' as ItemKind
const VIEW = 'secondLooks' as QueueView

/** Public comments that somebody should look at once more. */
const secondLook: Kind = {
  name: SECOND_LOOK,
  view: VIEW,
  mayReview: mayReviewHeld,
  isOpen: sql`true`,
  list: (ctx, input, options) => listKind(ctx, secondLook, input, { ...options, isEverywhere: false }),
  async read(ctx, items, { isCounted, ...wanted }) {
    const rows = await query<ItemRow>(ctx, namedItems(sql`select ${HELD_ITEM} from (${items}) i`, { isCounted }))
    return rows.map((row) => ({ ...toQueueItem(ctx, row, wanted), kind: SECOND_LOOK }))
  },
  async lock(ctx, { subjectType, subjectId }) {
    const item = await queryOne<LockedItem>(
      ctx,
      sql`
      select i.subject_type, i.subject_id, i.community_id, i.author_id, i.version, i.claimed_by, i.claimed_until from review_item i
      where i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and i.kind = ${SECOND_LOOK} and i.state = 'waiting'
        and ${mayReviewHeld(ctx)} for no key update`,
    )
    if (item === undefined) throw new DomainError('NOT_FOUND')
    return item
  },
  isGrouped: false,
  logged: 'secondLook',
  eventSuffix: '',
}

const CONFIRMED = 'confirmed' as Outcome

/** Somebody looked once more, and the comment stays. */
const confirming: ReviewHandler = {
  kind: SECOND_LOOK,
  async lock(ctx, subjectId) {
    const item = await queryOne<ReviewItem>(
      ctx,
      sql`
      select i.subject_id, i.community_id, i.author_id, i.version, i.state = 'waiting' as is_waiting, i.claimed_by, i.claimed_until, true as may_review
      from review_item i where i.subject_type = 'comment' and i.subject_id = ${subjectId} and i.kind = ${SECOND_LOOK} and ${mayReviewHeld(ctx)}
      for no key update`,
    )
    if (item === undefined) throw new DomainError('NOT_FOUND')
    return item
  },
  move: (ctx, { subjectId, version }, { from, to }) =>
    queryOne(
      ctx,
      sql`
      update review_item i set state = ${to}, version = version + 1, closed_at = case when ${to} <> 'waiting' then ${ctx.now()}::timestamptz end
      where i.subject_type = 'comment' and i.subject_id = ${subjectId} and i.kind = ${SECOND_LOOK} and i.state = ${from} and i.version = ${version}
      returning version, null::bytea as text_digest`,
    ),
  toAuditState: (state) => ({ secondLook: state }),
  publish: async (_, { subjectId, communityId }) => ({
    event: {
      name: 'desk.comment.didConfirm',
      subjectType: 'comment',
      subjectId,
      communityId,
      payload: {},
      isDeskOnly: true,
    },
  }),
}

beforeAll(() => {
  Object.assign(KINDS, { [SECOND_LOOK]: secondLook })
  Object.assign(HANDLERS, { [CONFIRMED]: { comment: confirming } })
})
afterAll(() => {
  Reflect.deleteProperty(KINDS, SECOND_LOOK)
  Reflect.deleteProperty(HANDLERS, CONFIRMED)
})

const placedAt = new Date('2026-11-01T12:00:00Z')

const UNDO = { undoWindowMs: 600_000 }

async function queued() {
  const { communityId } = await make.community()
  const { commentId, userId, version } = await make.heldComment({ communityId })
  await prisma.comment.update({ where: { commentId }, data: { approvalStatus: 'approved' } })
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  await prisma.reviewItem.create({
    data: {
      ...subject,
      kind: SECOND_LOOK,
      communityId,
      authorId: userId,
      state: 'waiting',
      version,
      text: 'Is the ferry on time?',
      dataTypes: ['text'],
      writtenAt: placedAt,
      openedAt: placedAt,
      placedAt,
      textBands: [],
    },
  })
  const [ana, ben] = [await make.reviewerOf(communityId), await make.reviewerOf(communityId)]
  const item = { ...subject, kind: SECOND_LOOK }
  return { communityId, subject, item, ana: ctxOf(database, ana, UNDO), ben: ctxOf(database, ben, UNDO) }
}

const listed = async (ctx: Ctx, view: QueueView, more: object = {}) =>
  (await listDeskQueue(ctx, { ...DeskQueueInput.parse(more), view })).items.map(({ kind, subjectId }) => [
    kind,
    subjectId,
  ])
const counted = async (ctx: Ctx, view: QueueView, more: object = {}) =>
  (await countMatching(ctx, { ...DeskFilter.parse(more), view })).count

test('an item of a new kind is listed and counted in its own view, for those who review it', async () => {
  const { communityId, subject, ana } = await queued()
  const expected = [[SECOND_LOOK, subject.subjectId]]
  expect([await listed(ana, VIEW), await counted(ana, VIEW)]).toEqual([expected, 1])
  expect([await listed(ana, VIEW, { communityId }), await counted(ana, VIEW, { communityId })]).toEqual([expected, 1])
  expect([await listed(ana, VIEW, { kind: 'post' }), await counted(ana, VIEW, { kind: 'post' })]).toEqual([[], 0])
  expect([await listed(ana, 'waiting'), await listed(ana, 'reported')]).toEqual([[], []])

  const stranger = ctxOf(database, asUser((await make.user()).userId))
  expect([await listed(stranger, VIEW), await counted(stranger, VIEW)]).toEqual([[], 0])
})

test('of two who claim an item of a new kind one gets it, finds it among their claims, by any filter, and in the log under its own name', async () => {
  const { subject, item, ana, ben } = await queued()
  const claims = await Promise.allSettled([claim(ana, item), claim(ben, item)])
  expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [mine, other] = claims[0]?.status === 'fulfilled' ? [ana, ben] : [ben, ana]
  expect(await claim(other, item).catch(failureOf)).toBe('CHANGED')

  const expected = [[SECOND_LOOK, subject.subjectId]]
  expect([await listed(mine, 'mine'), await counted(mine, 'mine'), (await countQueue(mine)).mine]).toEqual([
    expected,
    1,
    1,
  ])
  expect([await listed(mine, 'mine', { text: 'ferry' }), await counted(mine, 'mine', { text: 'ferry' })]).toEqual([
    expected,
    1,
  ])
  expect([await listed(mine, 'mine', { text: 'train' }), await counted(mine, 'mine', { text: 'train' })]).toEqual([
    [],
    0,
  ])
  expect([await listed(other, 'mine'), await counted(other, 'mine')]).toEqual([[], 0])

  await release(mine, item)
  expect(await listed(mine, 'mine')).toEqual([])
  const log = await prisma.audit.findMany({ where: subject, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action, after }) => [action, after])).toEqual([
    ['comment.claimed', expect.objectContaining({ secondLook: 'claimed' })],
    ['comment.released', expect.objectContaining({ secondLook: 'released' })],
  ])
})

test('an item of a new kind is escalated, assigned and put back, and leased to the person who looks at it', async () => {
  const { subject, item, ana, ben } = await queued()
  await escalate(ana, { ...item, note: 'Is this the same author?' })
  const expected = [[SECOND_LOOK, subject.subjectId]]
  expect([await listed(ben, 'escalated'), await counted(ben, 'escalated'), (await countQueue(ben)).escalated]).toEqual([
    expected,
    1,
    1,
  ])
  expect(await escalate(ben, { ...item, note: 'Again' }).catch(failureOf)).toBe('CHANGED')
  await handOver(ben, { ...item, handTo: null })
  await deescalate(ben, item)
  expect([await listed(ben, 'escalated'), (await countQueue(ben)).escalated]).toEqual([[], 0])
  expect(await takeLease(ana, subject)).toMatchObject({ isMine: true })
})

test('of two who decide on an item of a new kind one wins, whom the other learns; it is undone, and the log has both under its own name', async () => {
  const { subject, item, ana, ben } = await queued()
  const { version } = await prisma.reviewItem.findFirstOrThrow({ where: item })
  const input = { ...subject, version, outcome: CONFIRMED }
  const [first, second] = await Promise.allSettled([decide(ana, input), decide(ben, input)])
  const [mine, lost] = first.status === 'fulfilled' ? [ana, second] : [ben, first]
  expect(lost).toMatchObject({ reason: { code: 'CHANGED', details: { decision: CONFIRMED } } })
  expect([await listed(mine, VIEW), await counted(mine, VIEW)]).toEqual([[], 0])
  const made = await prisma.decision.findFirstOrThrow({ where: subject })
  expect([made.kind, made.outcome, made.undoneAt]).toEqual([SECOND_LOOK, CONFIRMED, null])

  const decisionId = String(made.decisionId)
  expect(await undoDecision(mine === ana ? ben : ana, { decisionId }).catch(failureOf)).toBe('NOT_FOUND')
  expect(await undoDecision(mine, { decisionId })).toEqual({ ...subject, version: version + 2 })
  expect([await listed(mine, VIEW), await counted(mine, VIEW)]).toEqual([[[SECOND_LOOK, subject.subjectId]], 1])
  const log = await prisma.audit.findMany({ where: subject, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action, after }) => [action, after])).toEqual([
    ['comment.confirmed', { secondLook: CONFIRMED, version: version + 1 }],
    ['comment.undone', { secondLook: 'waiting', version: version + 2 }],
  ])
})
