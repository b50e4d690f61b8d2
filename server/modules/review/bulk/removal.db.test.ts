import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { previewRemoval } from '#server/modules/review/bulk/preview-removal.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartRemoval } from '#server/modules/review/bulk/schema.ts'
import { startRemoval } from '#server/modules/review/bulk/start-removal.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { finishBatch } from '#server/worker/finish-bulks.ts'

const { database, prisma, pool, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, { undoWindowMs: WAIT_LIMIT_MS, ...over })

const HOUR_MS = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms)

/** A community with a channel, and somebody who moderates both. */
async function place() {
  const { channelId } = await make.channel({ type: 'community' })
  const { communityId } = await make.community({ channelId })
  const moderator = await make.reviewerOf(communityId)
  await make.channelUser({ channelId, userId: moderator.userId, roles: ['channel-moderator'] })
  return { communityId, channelId, moderator, space: { scope: 'community' as const, communityId } }
}
type Place = Awaited<ReturnType<typeof place>>

const comment = async (communityId: string, userId: string, over: { held?: boolean; createdAt?: Date } = {}) => {
  const { held = false, ...row } = over
  const made = await make.heldComment({ communityId, userId, ...(held ? {} : { approvalStatus: null }), ...row })
  return { subjectType: 'comment' as const, subjectId: made.commentId }
}

/** One of each: held and published, in a community and its channel. */
async function write({ communityId, channelId }: Place, userId: string, createdAt = new Date()) {
  const heldPost = await make.heldPost({ communityId, postedUserId: userId, createdAt })
  const post = await make.post({ communityId, postedUserId: userId })
  await make.post({ communityId, postedUserId: userId, parentPostId: post.postId, data: { text: 'Attached' } })
  await prisma.post.update({ where: { postId: post.postId }, data: { createdAt } })
  const message = await make.message({ channelId, userId, createdAt })
  return {
    held: [
      await comment(communityId, userId, { held: true, createdAt }),
      { subjectType: 'post' as const, subjectId: heldPost.postId },
    ],
    published: [
      await comment(communityId, userId, { createdAt }),
      { subjectType: 'post' as const, subjectId: post.postId },
      { subjectType: 'message' as const, subjectId: message.messageId },
    ],
  }
}

async function begin(ctx: Ctx, userId: string, over: Partial<StartRemoval> & Pick<StartRemoval, 'space'>) {
  const input = StartRemoval.parse({
    bulkId: randomUUID(),
    ban: { userId, space: over.space, minutes: null },
    at: ctx.now().toISOString(),
    isHeldIncluded: true,
    published: {},
    except: [],
    ...over,
  })
  await startRemoval(ctx, input)
  return input.bulkId
}

async function finish(ctx: Ctx, bulkId: string) {
  for (;;) {
    const progress = await runBulk(ctx, { bulkId })
    if (progress.isFinished) return progress
  }
}

/** Of each item whether it is held, published or removed, read without any of the program's own statements. */
async function statesOf(items: Subject[]): Promise<(string | undefined)[]> {
  const { rows } = await pool.query<{ id: string; state: string }>(
    `select comment_id as id, case when is_deleted then 'removed' when approval_status = 'pending' then 'held' else 'published' end as state from comment
     union all select post_id, case when is_deleted or feed_type = 'declined' then 'removed' when feed_type = 'reviewing' then 'held' else 'published' end from post
     union all select message_id, case when is_deleted then 'removed' else 'published' end from message`,
  )
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  return items.map(({ subjectId }) => states.get(subjectId))
}

const isBanned = async (communityId: string, userId: string) =>
  (await prisma.ban.count({ where: { communityId, userId, liftedAt: null } })) > 0

test('previews, removes and restores what the caller may decide, in one community or wherever they may, and nothing else', async () => {
  const [here, there, foreign] = [await place(), await place(), await place()]
  const { userId } = await make.user()
  for (const { communityId } of [there]) {
    await make.member({ communityId, userId: here.moderator.userId, roles: ['community-moderator'] })
  }
  const [mine, other, theirs] = [await write(here, userId), await write(there, userId), await write(foreign, userId)]
  const old = await comment(here.communityId, userId, { createdAt: ago(2 * HOUR_MS) })
  const conversation = await make.channel({ type: 'conversation' })
  await make.channelUser({
    channelId: conversation.channelId,
    userId: here.moderator.userId,
    roles: ['channel-moderator'],
  })
  await make.message({ channelId: conversation.channelId, userId })
  await comment(here.communityId, (await make.user()).userId)
  const ctx = as(here.moderator)
  const everywhere = { scope: 'network' as const }

  const previewed = async (space: StartRemoval['space'], withinMinutes?: number | null) =>
    (await previewRemoval(ctx, { authorId: userId, space, withinMinutes })).counts
  const counts = { held: 2, comments: 2, posts: 1, messages: 1, claimed: 0 }
  expect(await previewed(here.space, null)).toEqual(counts)
  expect(await previewed(here.space, 60)).toEqual({ ...counts, comments: 1 })
  expect(await previewed(here.space)).toEqual({ ...counts, comments: 0, posts: 0, messages: 0 })
  expect(await previewed({ scope: 'channel', channelId: here.channelId }, null)).toEqual({
    ...counts,
    held: 0,
    comments: 0,
    posts: 0,
  })
  // There, they moderate the community but not its channel.
  expect(await previewed(everywhere, null)).toEqual({ ...counts, held: 4, comments: 3, posts: 2 })
  expect(await previewed(foreign.space, null)).toEqual({ held: 0, comments: 0, posts: 0, messages: 0, claimed: 0 })

  const [leftOut] = mine.held
  if (!leftOut) throw new Error('two are held')
  const bulkId = await begin(ctx, userId, {
    space: everywhere,
    ban: { userId, space: here.space, minutes: null, reason: 'Spam' },
    except: [leftOut],
  })
  expect(await isBanned(here.communityId, userId)).toBe(true)
  const done = await finish(ctx, bulkId)
  expect(done).toMatchObject({ total: 9, done: 9, waiting: 0, refused: [], sanctions: { sanction: 'ban', done: 1 } })

  const removed = [...mine.held.slice(1), ...mine.published, old, ...other.held, ...other.published.slice(0, 2)]
  expect(new Set(await statesOf(removed))).toEqual(new Set(['removed']))
  const untouched = [leftOut, ...theirs.held, ...theirs.published, ...other.published.slice(2)]
  const before = ['held', 'held', 'held', 'published', 'published', 'published', 'published']
  expect(await statesOf(untouched)).toEqual(before)
  const log = await prisma.audit.findMany({ where: { actorId: here.moderator.userId } })
  const actions = Object.groupBy(log, ({ action }) => action)
  expect(Object.fromEntries(Object.entries(actions).map(([action, rows]) => [action, rows?.length]))).toEqual({
    'community.userBanned': 1,
    'bulk.started': 1,
    'comment.rejected': 1,
    'post.rejected': 2,
    'comment.deleted': 3,
    'post.deleted': 2,
    'message.deleted': 1,
  })
  const events = await prisma.event.groupBy({
    by: ['name', 'state'],
    where: { subjectId: { in: removed.map(({ subjectId }) => subjectId) } },
    _count: true,
    orderBy: { name: 'asc' },
  })
  expect(events.map(({ name, state, _count }) => [name, state, _count])).toEqual([
    ['v3.comment.didDelete', 'held', 4],
    ['v3.post.didDecline', 'held', 2],
    ['v3.post.didDelete', 'held', 2],
    ['v5.message.didDelete', 'held', 1],
  ])

  await undoBulk(ctx, { bulkId })
  expect(await finish(ctx, bulkId)).toMatchObject({
    isUndone: true,
    undone: 9,
    done: 0,
    refused: [],
    sanctions: { done: 0, undone: 1, refused: [] },
  })
  expect(await statesOf([...mine.held, ...mine.published])).toEqual([
    'held',
    'held',
    'published',
    'published',
    'published',
  ])
  expect(await statesOf(untouched)).toEqual(before)
  expect(await prisma.post.count({ where: { communityId: here.communityId, isDeleted: true } })).toBe(0)
  expect(await isBanned(here.communityId, userId)).toBe(false)
  const published = { name: { in: ['v3.comment.didDelete', 'v5.message.didDelete'] }, state: { not: 'cancelled' } }
  expect(await prisma.event.count({ where: published as object })).toBe(0)
})

test('leaves what a colleague claimed or escalated, except the item in front', async () => {
  const { communityId, moderator, space } = await place()
  const colleague = as(await make.reviewerOf(communityId))
  const { userId } = await make.user()
  const [front, escalated, claimed, plain] = [
    await comment(communityId, userId, { held: true, createdAt: ago(HOUR_MS) }),
    await comment(communityId, userId, { held: true }),
    await comment(communityId, userId, { held: true }),
    await comment(communityId, userId, { held: true }),
  ]
  for (const item of [front, escalated]) await make.escalated(item)
  await claim(colleague, { ...claimed, isGroup: false })
  const ctx = as(moderator)

  const preview = await previewRemoval(ctx, { authorId: userId, space, item: front })
  expect(preview.counts).toMatchObject({ held: 2, claimed: 1 })
  expect(preview.items[0]).toMatchObject({ ...front, isPublished: false })
  expect(preview.items.map(({ subjectId, error }) => [subjectId, error])).toEqual(
    expect.arrayContaining([
      [claimed.subjectId, 'CLAIMED'],
      [plain.subjectId, undefined],
    ]),
  )
  const done = await finish(ctx, await begin(ctx, userId, { space, item: front, published: undefined }))
  expect(done).toMatchObject({ total: 2, done: 2 })
  expect(await statesOf([front, escalated, claimed, plain])).toEqual(['removed', 'held', 'held', 'removed'])
})

test('what somebody else decided or changed since the preview stays as it is, before and after the undo', async () => {
  const { communityId, moderator, space } = await place()
  const colleague = as(await make.reviewerOf(communityId))
  const author = await make.user()
  const write = (held: boolean) => comment(communityId, author.userId, { held })
  const [approved, rejected, deleted, edited] = [
    await write(true),
    await write(true),
    await write(false),
    await write(false),
  ]
  const [kept, withdrawn] = [await write(false), await write(false)]
  const ctx = as(moderator)
  const at = ago(1_000).toISOString()
  for (const [item, outcome] of [
    [approved, 'approved'],
    [rejected, 'rejected'],
  ] as const)
    await decide(colleague, { ...item, version: 1, outcome })

  const bulkId = await begin(ctx, author.userId, { space, at })
  expect(await readBulk(ctx, { bulkId })).toMatchObject({ total: 6, waiting: 4 })
  await deleteComment(colleague, { commentId: deleted.subjectId, permanent: false })
  await editComment(colleague, { commentId: edited.subjectId, data: { text: 'Somebody else’s words' } })
  const done = await finish(ctx, bulkId)
  expect(done).toMatchObject({ done: 2, refused: Array(4).fill({ failure: 'CHANGED' }) })
  expect(await statesOf([approved, rejected, deleted, edited, kept, withdrawn])).toEqual([
    'published',
    'removed',
    'removed',
    'published',
    'removed',
    'removed',
  ])

  // Its author deletes what is removed already; a colleague lifts the ban and makes a new one.
  await deleteComment(as(asUser(author.userId)), { commentId: withdrawn.subjectId, permanent: false })
  await unbanPerson(colleague, { userId: author.userId, space })
  await banPerson(colleague, { userId: author.userId, space, minutes: 60 })
  await undoBulk(ctx, { bulkId })
  const undone = await finish(ctx, bulkId)
  expect(undone).toMatchObject({ undone: 1, done: 1, sanctions: { done: 1, refused: [{ why: 'CHANGED', count: 1 }] } })
  expect(await statesOf([approved, rejected, deleted, edited, kept, withdrawn])).toEqual([
    'published',
    'removed',
    'removed',
    'published',
    'published',
    'removed',
  ])
  expect(await isBanned(communityId, author.userId)).toBe(true)
})

test('two moderators who ban and remove at once make one ban, and two bans of different spaces remove each item once', async () => {
  const count = scaled(30)
  const { communityId, moderator, space } = await place()
  const colleague = await make.reviewerOf(communityId)
  const { userId } = await make.user()
  const items = await Promise.all(
    Array.from({ length: count }, (_, n) => comment(communityId, userId, { held: n % 2 === 0 })),
  )
  const started = await Promise.allSettled([moderator, colleague].map((actor) => begin(as(actor), userId, { space })))
  expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const failed = started.find((one) => one.status === 'rejected')
  expect(failed && failureOf(failed.reason)).toBe('BANNED')
  expect(await prisma.bulk.count({ where: { madeBy: { in: [moderator.userId, colleague.userId] } } })).toBe(1)

  const { userId: adminId } = await make.user({ roles: ['super-moderator'] })
  const permissions = new Set(['MANAGE_POST_AND_COMMENT', 'BAN_USER'] as const)
  const admin = as({ kind: 'admin', userId: adminId, name: 'Admin', rank: 800, permissions })
  const [first] = started.flatMap((one, index) =>
    one.status === 'fulfilled' ? [{ ctx: as([moderator, colleague][index] ?? moderator), bulkId: one.value }] : [],
  )
  if (!first) throw new Error('one has started')
  const network = await begin(admin, userId, { space: { scope: 'network' } })
  const results = await Promise.all([finish(first.ctx, first.bulkId), finish(admin, network)])
  expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(count)
  expect(new Set(await statesOf(items))).toEqual(new Set(['removed']))
  const subjectIds = items.map(({ subjectId }) => subjectId)
  expect(await prisma.audit.count({ where: { subjectId: { in: subjectIds } } })).toBe(count)
  expect(await prisma.decision.count({ where: { subjectId: { in: subjectIds } } })).toBe(count)
})

test('messages of two people in the same channels are removed at once without a deadlock', async () => {
  const [one, other] = [await place(), await place()]
  await make.channelUser({ channelId: other.channelId, userId: one.moderator.userId, roles: ['channel-moderator'] })
  const authors = [await make.user(), await make.user()]
  const channels = [one.channelId, other.channelId]
  const ids: Subject[] = []
  for (const [index, { userId }] of authors.entries())
    for (let number = 0; number < 20; number += 1) {
      const channelId = channels[(number + index) % 2] ?? ''
      const { messageId } = await make.message({ channelId, userId })
      ids.push({ subjectType: 'message', subjectId: messageId })
    }
  const ctx = as(one.moderator)
  const bulkIds = []
  for (const { userId } of authors) {
    const ban = { userId, space: one.space, minutes: null }
    bulkIds.push(await begin(ctx, userId, { ban, space: { scope: 'network' }, isHeldIncluded: false }))
  }
  await Promise.all(bulkIds.map((bulkId) => finish(ctx, bulkId)))
  expect(new Set(await statesOf(ids))).toEqual(new Set(['removed']))
  for (const bulkId of bulkIds) await undoBulk(ctx, { bulkId })
  await Promise.all(bulkIds.map((bulkId) => finish(ctx, bulkId)))
  expect(new Set(await statesOf(ids))).toEqual(new Set(['published']))
})

test('undone halfway, it restores what was removed so far and removes no more', async () => {
  const count = 60
  const { communityId, moderator, space } = await place()
  const { userId } = await make.user()
  const items = await Promise.all(Array.from({ length: count }, () => comment(communityId, userId)))
  const last = items.map(({ subjectId }) => subjectId).sort()[30] ?? ''
  const ctx = as(moderator)
  const bulkId = await begin(ctx, userId, { space })
  // The second batch waits for this row.
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from comment where comment_id = $1 for update', [last])
  const working = finish(ctx, bulkId)
  await waitForLockWaiter(database)
  const undoing = undoBulk(ctx, { bulkId })
  await waitForLockWaiter(database, 2)
  await client.query('commit')
  client.release()
  await Promise.all([undoing, working])
  expect(await finish(ctx, bulkId)).toMatchObject({ isUndone: true, done: 0, refused: [] })
  expect(new Set(await statesOf(items))).toEqual(new Set(['published']))
  expect(await isBanned(communityId, userId)).toBe(false)
})

test('a batch that fails removes nothing of it, the ban holds, and the worker continues where it stopped', async () => {
  const { communityId, moderator, space } = await place()
  const { userId } = await make.user()
  const items = await Promise.all(Array.from({ length: 40 }, () => comment(communityId, userId)))
  const staff = await prisma.staffAccount.create({
    data: { id: randomUUID(), name: 'Ana', email: `${randomUUID()}@docket.example`, networkUserId: moderator.userId },
  })
  const clock = clockAt(new Date().toISOString())
  const ctx = as({ ...moderator, staffId: staff.id }, { now: clock.now })
  const broken = items.map(({ subjectId }) => subjectId).sort()[30] ?? ''
  await pool.query(`
    create function break_removal() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
    create trigger break_removal before update on comment for each row when (new.comment_id = '${broken}') execute function break_removal()`)
  const bulkId = await begin(ctx, userId, { space })
  await expect(finish(ctx, bulkId)).rejects.toThrow()

  expect(await readBulk(ctx, { bulkId })).toMatchObject({ isFinished: false, done: 25, waiting: 15 })
  expect((await statesOf(items)).filter((state) => state === 'removed')).toHaveLength(25)
  expect(await isBanned(communityId, userId)).toBe(true)
  await pool.query('drop trigger break_removal on comment; drop function break_removal')
  clock.advance(10_000)
  await finishBatch({ ...systemCtx(database), now: clock.now })

  expect(await readBulk(ctx, { bulkId })).toMatchObject({ isFinished: true, done: 40, waiting: 0 })
  expect(new Set(await statesOf(items))).toEqual(new Set(['removed']))
  expect(await prisma.ban.count({ where: { userId } })).toBe(1)
})
