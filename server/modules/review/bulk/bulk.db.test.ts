import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { createLogger } from '#server/core/log.ts'
import { rowsSetAside } from '#server/core/set-aside.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { digestOfText } from '#server/modules/ledger/audit/record-audit.ts'
import { previewBulk } from '#server/modules/review/bulk/preview-bulk.ts'
import { readBulk, readRecentBulks } from '#server/modules/review/bulk/read-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { lockPending } from '#server/modules/review/decisions/lock-pending.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { DeskFilter } from '#server/modules/review/queue/schema.ts'
import { asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { scaled } from '#server/testing/scaled.ts'
import { finishBatch } from '#server/worker/finish-bulks.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)

/** A community with `count` held comments, as one of its moderators sees them. */
async function queueOf(count: number) {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const { userId } = await make.user()
  await database.pool.query(
    `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, created_at, queued_at)
     select $1 || '-' || lpad(n::text, 5, '0'), $1, 'community', $2, 'pending', jsonb_build_object('text', 'words ' || n), now(), now()
     from generate_series(1, $3::int) n`,
    [communityId, userId, count],
  )
  const items = Array.from({ length: count }, (_, index) => ({
    subjectType: 'comment' as const,
    subjectId: `${communityId}-${String(index + 1).padStart(5, '0')}`,
    version: 1,
  }))
  return { communityId, reviewer, items }
}

async function finish(ctx: Ctx, bulkId: string) {
  for (;;) {
    const progress = await runBulk(ctx, { bulkId })
    if (progress.isFinished) return progress
  }
}

const begin = (ctx: Ctx, items: StartBulk['items'], outcome: HeldOutcome = 'approved') =>
  startBulk(ctx, StartBulk.parse({ bulkId: randomUUID(), outcome, items }))

const stillHeld = async (ctx: Ctx) => (await countQueue(ctx)).total

const ITEMS = scaled(100)

test(`previews the seven of ${ITEMS} items that can’t be decided, decides the rest, and undoes all of them with one undo`, async () => {
  const { communityId, reviewer, items } = await queueOf(ITEMS - 3)
  const colleague = await make.reviewerOf(communityId)
  const own = await make.heldComment({ communityId, userId: reviewer.userId })
  const foreign = await make.heldComment()
  const taken = items.slice(0, 4)
  const chosen = [
    ...items,
    { subjectType: 'comment' as const, subjectId: own.commentId, version: 1 },
    { subjectType: 'comment' as const, subjectId: foreign.commentId, version: 1 },
    { subjectType: 'post' as const, subjectId: 'no such post', version: 1 },
  ]
  const { now } = clockAt('2026-01-01T00:00:00Z')
  for (const item of taken) await decide(as(colleague, { now }), { ...item, outcome: 'rejected' })
  const ctx = as(reviewer, { now })

  const preview = await previewBulk(ctx, { items: chosen })
  const refused = preview.items.filter(({ error }) => error)
  expect(refused.map(({ error }) => error).sort()).toEqual([
    'CHANGED',
    'CHANGED',
    'CHANGED',
    'CHANGED',
    'FORBIDDEN',
    'NOT_FOUND',
    'NOT_FOUND',
  ])
  expect(preview.items).toHaveLength(ITEMS)

  const { bulkId } = await begin(ctx, chosen)
  const done = await finish(ctx, bulkId)
  expect(done).toMatchObject({ total: ITEMS, waiting: 0, done: ITEMS - 7, isFinished: true, isUndone: false })
  expect(done.refused.map(({ subjectId }) => subjectId).sort()).toEqual(
    refused.map(({ subjectId }) => subjectId).sort(),
  )
  expect(await stillHeld(ctx)).toBe(1)

  await undoBulk(ctx, { bulkId })
  expect(await finish(ctx, bulkId)).toMatchObject({ done: 0, undone: ITEMS - 7, isUndone: true, refused: [] })
  expect(await stillHeld(ctx)).toBe(ITEMS - 6)
  const events = await prisma.event.groupBy({
    by: ['state'],
    where: { name: 'v3.comment.didApprove', communityId },
    _count: true,
  })
  expect(events).toEqual([{ state: 'cancelled', _count: ITEMS - 7 }])
})

test('an undo leaves the approval of what its author has edited since as it is, with its event still to be published', async () => {
  const { reviewer, items } = await queueOf(2)
  const [edited, other] = items as [(typeof items)[0], (typeof items)[0]]
  const ctx = as(reviewer, { now: clockAt('2026-01-01T00:00:00Z').now })
  const { bulkId } = await begin(ctx, items)
  await finish(ctx, bulkId)
  const { userId } = await prisma.comment.findUniqueOrThrow({ where: { commentId: edited.subjectId } })
  await editComment(as(asUser(userId)), {
    commentId: edited.subjectId,
    data: { text: 'Other words' },
  })

  await undoBulk(ctx, { bulkId })
  const { undone, refused } = await finish(ctx, bulkId)

  expect([undone, refused]).toEqual([1, [{ ...edited, failure: 'CHANGED' }]])
  const states = await prisma.event.findMany({
    where: { name: 'v3.comment.didApprove', subjectId: { in: [edited.subjectId, other.subjectId] } },
    orderBy: { subjectId: 'asc' },
  })
  expect(states.map(({ state }) => state)).toEqual(['held', 'cancelled'])
})

test('a bulk action and a colleague who locks the same items wait in the same order, also where an item is decided by itself', async () => {
  const { communityId, reviewer, items } = await queueOf(2)
  const [first, second] = items as [(typeof items)[0], (typeof items)[0]]
  // Its reports end with the decision, which the others of its batch don't need.
  await prisma.comment.update({ where: { commentId: first.subjectId }, data: { flagCount: 1 } })
  await keepReportsOf(database, 'comment', [first.subjectId])
  const { bulkId } = await begin(as(reviewer), items)

  const { working } = await inTransaction(as(await make.reviewerOf(communityId)), async (ctx) => {
    await lockPending(ctx, first)
    const working = finish(as(reviewer), bulkId)
    await waitForLockWaiter(database)
    await lockPending(ctx, second)
    return { working }
  })
  expect(await working).toMatchObject({ done: 2, refused: [] })
})

test('a bulk action interrupted halfway reports what is left, and the next caller finishes it', async () => {
  const { reviewer, items } = await queueOf(60)
  const staff = await prisma.staffAccount.create({
    data: { id: randomUUID(), name: 'Ana', email: `${randomUUID()}@docket.example`, networkUserId: reviewer.userId },
  })
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as({ ...reviewer, staffId: staff.id }, { now: clock.now })
  const { bulkId } = await begin(ctx, items, 'rejected')
  expect(await readBulk(ctx, { bulkId })).toMatchObject({ waiting: 60, done: 0, isFinished: false })

  const system = { ...systemCtx(database), now: clock.now }
  expect(await finishBatch(system)).toBe(false)
  clock.advance(10_000)
  expect(await finishBatch(system)).toBe(true)

  expect(await readBulk(ctx, { bulkId })).toMatchObject({ waiting: 0, done: 60, isFinished: true })
  const decisions = await prisma.decision.findMany({ where: { bulkId } })
  expect(new Set(decisions.map(({ decidedBy }) => decidedBy))).toEqual(new Set([reviewer.userId]))
})

test('a bulk action that fails is set aside: the others are finished, the log names it once, and it is tried again later', async () => {
  const { reviewer, items } = await queueOf(1)
  const other = await queueOf(30)
  const staffOf = async ({ userId }: { userId: string }) =>
    (
      await prisma.staffAccount.create({
        data: { id: randomUUID(), name: 'Ana', email: `${randomUUID()}@docket.example`, networkUserId: userId },
      })
    ).id
  const clock = clockAt('2026-01-01T00:00:00Z')
  const bad = as({ ...reviewer, staffId: await staffOf(reviewer) }, { now: clock.now })
  const good = as({ ...other.reviewer, staffId: await staffOf(other.reviewer) }, { now: clock.now })
  const [poison] = [await begin(bad, items), clock.advance(1)]
  const { bulkId } = await begin(good, other.items)
  const fail = `fail_${randomUUID().replaceAll('-', '')}`
  await database.pool.query(`
    create function ${fail}() returns trigger language plpgsql as 'begin raise exception ''this row always fails''; end';
    create trigger ${fail} before update on comment for each row when (old.comment_id = '${items[0]?.subjectId}') execute function ${fail}()`)
  onTestFinished(async () => {
    await database.pool.query(`drop function if exists ${fail} cascade`)
  })
  const logged: unknown[] = []
  const log = Object.assign(createLogger('silent'), { error: (entry: unknown) => void logged.push(entry) })
  const system = { ...systemCtx(database), now: clock.now, log }

  clock.advance(10_000)
  await finishBatch(system)
  expect(await readBulk(good, { bulkId })).toMatchObject({ waiting: 0, done: 30, isFinished: true })
  expect(await readBulk(bad, poison)).toMatchObject({ waiting: 1, isFinished: false })
  clock.advance(70_000)
  await finishBatch(system)
  expect(logged).toEqual([{ err: expect.objectContaining({ message: 'this row always fails' }), id: poison.bulkId }])
  expect(rowsSetAside().get('bulks')).toContain(poison.bulkId)

  await database.pool.query(`drop function ${fail} cascade`)
  await finishBatch(system)
  expect(await readBulk(bad, poison)).toMatchObject({ waiting: 1 })
  clock.advance(3_600_000)
  await finishBatch(system)
  expect(await readBulk(bad, poison)).toMatchObject({ waiting: 0, done: 1, isFinished: true })
  expect(rowsSetAside().get('bulks')).not.toContain(poison.bulkId)
})

test('an item that cannot be held is no part of a bulk action, and one that is stored all the same is refused', async () => {
  const { reviewer, items } = await queueOf(2)
  const ctx = as(reviewer)
  for (const subjectType of ['message', 'user'])
    expect(
      StartBulk.safeParse({
        bulkId: randomUUID(),
        outcome: 'approved',
        items: [{ subjectType, subjectId: 'some', version: 1 }],
      }).success,
    ).toBe(false)

  const { bulkId } = await begin(ctx, items)
  await prisma.bulkItem.updateMany({ where: { bulkId, position: 1 }, data: { subjectType: 'message' } })
  expect(await finish(ctx, bulkId)).toMatchObject({
    done: 1,
    refused: [{ subjectType: 'message', failure: 'INVALID_PARAMETERS' }],
  })
})

test('a bulk action ends as it is once the account that started it is disabled', async () => {
  const { reviewer, items } = await queueOf(30)
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(reviewer, { now: clock.now })
  const { bulkId } = await begin(ctx, items)
  clock.advance(10_000)

  await finishBatch({ ...systemCtx(database), now: clock.now })

  expect(await readBulk(ctx, { bulkId })).toMatchObject({ waiting: 30, done: 0, isFinished: true })
  expect(await stillHeld(ctx)).toBe(30)
})

test('two concurrent workers decide each item once, and starting a bulk action twice starts it once', async () => {
  const { reviewer, items } = await queueOf(120)
  const ctx = as(reviewer)
  const input = StartBulk.parse({ bulkId: randomUUID(), outcome: 'approved', items })
  await Promise.all([startBulk(ctx, input), startBulk(ctx, input)])

  await Promise.all([finish(ctx, input.bulkId), finish(ctx, input.bulkId)])

  expect(await readBulk(ctx, input)).toMatchObject({ total: 120, done: 120, refused: [] })
  expect(await prisma.decision.count({ where: { bulkId: input.bulkId } })).toBe(120)
})

test('publishes nothing while a bulk action runs; its undo time starts when it finishes, and ends', async () => {
  const { communityId, reviewer, items } = await queueOf(30)
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(reviewer, { now: clock.now, undoWindowMs: 10_000 })
  const { bulkId } = await begin(ctx, items)
  clock.advance(60_000)
  const { undoUntil } = await finish(ctx, bulkId)
  expect(undoUntil).toBe('2026-01-01T00:01:10.000Z')
  expect(await prisma.event.count({ where: { communityId, state: 'held' } })).toBe(30)

  clock.advance(10_000)
  expect(await undoBulk(ctx, { bulkId }).catch(failureOf)).toBe('CHANGED')
  expect(await readBulk(ctx, { bulkId })).toMatchObject({ isUndone: false, isFinished: true })
})

test('names who decided an item first; an item that is pending again is not blamed on an older decision', async () => {
  const { communityId, reviewer, items } = await queueOf(2)
  const colleague = await make.reviewerOf(communityId)
  const [taken, edited] = items
  if (!taken || !edited) throw new Error('two are held')
  await decide(as(colleague), { ...taken, outcome: 'rejected' })
  await decide(as(colleague), { ...edited, outcome: 'approved' })
  const heldAgain = { approvalStatus: 'pending', version: 3 } as const
  await prisma.comment.update({ where: { commentId: edited.subjectId }, data: heldAgain })

  const preview = await previewBulk(as(reviewer), { items })
  expect(preview.items).toMatchObject([
    { error: 'CHANGED', decided: { outcome: 'rejected', decidedByName: colleague.name } },
    { error: 'CHANGED' },
  ])
  expect(preview.items[1]).not.toHaveProperty('decided')
})

test('a moderator who opens the desk sees their running and recently finished bulk actions, newest first', async () => {
  const { communityId, reviewer, items } = await queueOf(3)
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(reviewer, { now: clock.now })
  const [first, second] = items
  if (!first || !second) throw new Error('three are held')
  const done = await begin(ctx, [first])
  await finish(ctx, done.bulkId)
  clock.advance(1_000)
  const running = await begin(ctx, [second])

  expect(await readRecentBulks(ctx)).toMatchObject([
    { bulkId: running.bulkId, isFinished: false, startedAt: '2026-01-01T00:00:01.000Z' },
    { bulkId: done.bulkId, isFinished: true, undoLeftMs: 9_000 },
  ])
  expect(await readRecentBulks(as(await make.reviewerOf(communityId), { now: clock.now }))).toEqual([])

  clock.advance(10 * 60_000)
  expect((await readRecentBulks(ctx)).map(({ bulkId }) => bulkId)).toEqual([running.bulkId])
})

test('selects up to a thousand matching items, newest first, and says when there are more', async () => {
  const { communityId, reviewer } = await queueOf(1_003)
  const preview = await previewBulk(as(reviewer), { matching: DeskFilter.parse({ communityId }) })
  expect(preview.isCut).toBe(true)
  expect(preview.items).toHaveLength(1_000)
  expect(preview.items.every(({ error }) => error === undefined)).toBe(true)
})

test('a colleague’s bulk action is not found, and an admin token can’t start one', async () => {
  const { communityId, reviewer, items } = await queueOf(1)
  const { bulkId } = await begin(as(reviewer), items)
  const colleague = as(await make.reviewerOf(communityId))
  for (const act of [readBulk, runBulk, undoBulk])
    expect(await act(colleague, { bulkId }).catch(failureOf)).toBe('NOT_FOUND')
  const token = as({ kind: 'admin', name: 'token', rank: 600, permissions: new Set(['MANAGE_POST_AND_COMMENT']) })
  expect(await begin(token, items).catch(failureOf)).toBe('FORBIDDEN')
})

test('a bulk rejection deletes each comment, with a decision and an audit row', async () => {
  const { communityId, reviewer, items } = await queueOf(25)
  const { bulkId } = await begin(as(reviewer), items, 'rejected')

  await finish(as(reviewer), bulkId)

  expect(await prisma.decision.count({ where: { bulkId, outcome: 'rejected', version: 2 } })).toBe(25)
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'rejected', isDeleted: true } })).toBe(25)
  expect(await prisma.audit.count({ where: { communityId, action: 'comment.rejected' } })).toBe(25)
})

test('logs the words of a reason beside each decision, with their digest', async () => {
  const { communityId, reviewer, items } = await queueOf(3)
  const ctx = as(reviewer)
  const reason = 'Words for all of them'
  const { bulkId } = await startBulk(ctx, StartBulk.parse({ bulkId: randomUUID(), outcome: 'rejected', reason, items }))
  await finish(ctx, bulkId)

  const log = await prisma.audit.findMany({ where: { communityId, action: 'comment.rejected' } })
  const words = await prisma.auditText.findMany({ where: { auditId: { in: log.map(({ auditId }) => auditId) } } })
  expect(words).toHaveLength(3)
  for (const { auditId, salt, text } of words) {
    const row = log.find((one) => one.auditId === auditId)
    expect([text, Buffer.from(row?.textDigest ?? []).toString('hex')]).toEqual([
      reason,
      digestOfText(salt ?? Buffer.alloc(0), reason).toString('hex'),
    ])
  }
})

test('a reason that is archived while a bulk action waits rejects each item, and nothing else', async () => {
  const { communityId, reviewer, items } = await queueOf(2)
  const reasonId = `reason-${randomUUID()}`
  await prisma.rejectionReason.create({ data: { reasonId, position: 99, label: 'Old' } })
  const ctx = as(reviewer)
  const { bulkId } = await startBulk(
    ctx,
    StartBulk.parse({ bulkId: randomUUID(), outcome: 'rejected', reasonId, items }),
  )
  await prisma.rejectionReason.update({ where: { reasonId }, data: { isArchived: true } })

  const { refused, done } = await finish(ctx, bulkId)

  expect([done, refused.map(({ failure }) => failure)]).toEqual([0, ['INVALID_PARAMETERS', 'INVALID_PARAMETERS']])
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })).toBe(2)
})
