import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { previewBans } from '#server/modules/review/bulk/preview-bans.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { finishBatch } from '#server/worker/finish-bulks.ts'

const { database } = await testDatabase()
const { prisma } = database
const make = factoriesOf(database)
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)

const HOUR = 60

/** A community with held comments by `count` accounts, as one of its moderators sees them. */
async function place(count: number) {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const items = []
  for (let number = 0; number < count; number += 1) items.push(await hold(communityId))
  return { communityId, reviewer, items }
}

async function hold(communityId: string, userId?: string) {
  const comment = await make.heldComment({ communityId, ...(userId !== undefined && { userId }) })
  return { subjectType: 'comment' as const, subjectId: comment.commentId, version: 1, userId: comment.userId }
}

type Item = Awaited<ReturnType<typeof hold>>
type Ban = NonNullable<StartBulk['ban']>

const seen = ({ subjectType, subjectId, version }: Item) => ({ subjectType, subjectId, version })

async function begin(ctx: Ctx, items: Item[], ban: Partial<Ban> = {}) {
  const bulkId = randomUUID()
  const given = { scope: 'community', minutes: null, except: [], ...ban }
  await startBulk(ctx, StartBulk.parse({ bulkId, outcome: 'rejected', items: items.map(seen), ban: given }))
  return bulkId
}

async function finish(ctx: Ctx, bulkId: string) {
  for (;;) {
    const progress = await runBulk(ctx, { bulkId })
    if (progress.isFinished) return progress
  }
}

const banned = async (communityId: string) =>
  (
    await prisma.communityUser.findMany({ where: { communityId, membership: 'banned' }, orderBy: { userId: 'asc' } })
  ).map(({ userId }) => userId)
const authorsOf = (items: Item[]) => items.map(({ userId }) => userId).sort()

/** A role of a community with a rank and permissions of its own. */
async function role(rank: number, permissions: string[], scope: 'community' | 'network' = 'community') {
  const roleId = `role-${randomUUID()}`
  await prisma.role.create({ data: { roleId, scope, rank, permissions } })
  return roleId
}

test('previews how many authors can be banned, and why not the others', async () => {
  const { communityId, reviewer, items } = await place(8)
  const [banned, colleague, elsewhere, ranked, deleted, spared] = items
  if (!banned || !colleague || !elsewhere || !ranked || !deleted || !spared) throw new Error('eight are held')
  const reviewing = await role(200, ['REVIEW_COMMUNITY_POST'], 'network')
  await prisma.user.update({ where: { userId: elsewhere.userId }, data: { roles: [reviewing] } })
  await make.member({ communityId, userId: banned.userId, membership: 'banned' })
  await make.member({ communityId, userId: colleague.userId, roles: ['community-moderator'] })
  await make.member({ communityId, userId: ranked.userId, roles: [await role(9_999, [])] })
  await prisma.user.update({ where: { userId: deleted.userId }, data: { isDeleted: true } })
  const leftOut = await hold(communityId, spared.userId)

  const forecasts = await previewBans(as(reviewer), { items: items.map(seen), except: [seen(leftOut)] })

  expect(forecasts).toEqual([
    {
      scope: 'community',
      accounts: 8,
      bannable: 2,
      refused: [
        { why: 'REVIEWER', count: 2 },
        ...['BANNED', 'EXCEPTED', 'GONE', 'RANK'].map((why) => ({ why, count: 1 })),
      ],
    },
  ])
  const done = await finish(as(reviewer), await begin(as(reviewer), items, { except: [seen(leftOut)] }))
  expect(done.bans).toEqual({ scope: 'community', waiting: 0, done: 2, undone: 0, refused: forecasts[0]?.refused })
})

test('offers no bans to a reviewer who may not ban, and makes none when asked to', async () => {
  const { communityId, items } = await place(2)
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: [await role(200, ['REVIEW_COMMUNITY_COMMENT'])] })
  const ctx = as({ kind: 'user', userId, name: 'Reviews only' })

  expect(await previewBans(ctx, { items: items.map(seen), except: [] })).toEqual([])
  for (const scope of ['community', 'network'] as const) {
    const { communityId, items } = await place(2)
    await make.member({ communityId, userId, roles: [await role(200, ['REVIEW_COMMUNITY_COMMENT'])] })
    const done = await finish(ctx, await begin(ctx, items, { scope }))
    expect(done).toMatchObject({ done: 2, bans: { done: 0, refused: [{ why: 'FORBIDDEN', count: 2 }] } })
    expect(await banned(communityId)).toEqual([])
  }
})

test('bans the authors of what was rejected, for the time and reason given, each with an audit row', async () => {
  const { communityId, reviewer, items } = await place(4)
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(reviewer, { now: clock.now })
  const [approved, ...rest] = items
  if (!approved) throw new Error('four are held')
  await decide(as(await make.reviewerOf(communityId)), { ...seen(approved), outcome: 'approved' })

  const bulkId = await begin(ctx, items, { minutes: 2 * HOUR, reason: 'Spam' })
  const done = await finish(ctx, bulkId)

  expect(done.bans).toEqual({
    scope: 'community',
    waiting: 0,
    done: 3,
    undone: 0,
    refused: [{ why: 'NOT_REJECTED', count: 1 }],
  })
  expect(await banned(communityId)).toEqual(authorsOf(rest))
  const bans = await prisma.ban.findMany({ where: { communityId } })
  expect(bans.map(({ reason, endsAt, bannedBy }) => [reason, endsAt, bannedBy])).toEqual(
    rest.map(() => ['Spam', new Date('2026-01-01T02:00:00Z'), reviewer.userId]),
  )
  const log = await prisma.audit.findMany({ where: { communityId, action: 'community.userBanned' } })
  expect(log.map(({ subjectId }) => subjectId).sort()).toEqual(authorsOf(rest))
  const events = await prisma.event.findMany({ where: { communityId, name: 'v3.community.didBan' } })
  const named = events.flatMap(({ payload }) => (payload as { users: { userId: string }[] }).users)
  expect(named.map(({ userId }) => userId)).toEqual(expect.arrayContaining(authorsOf(rest)))
  expect(await prisma.bulk.findUnique({ where: { bulkId } })).toMatchObject({ banScope: 'community', banReason: null })
})

test('bans an author in each community where something that they wrote was rejected, and counts them once', async () => {
  const [one, other] = [await place(1), await place(1)]
  const { userId } = await make.user()
  for (const { communityId } of [one, other]) await make.member({ communityId, userId, roles: ['community-moderator'] })
  const author = one.items[0]?.userId ?? ''
  const items = [...one.items, ...other.items, await hold(other.communityId, author)]
  const ctx = as({ kind: 'user', userId, name: 'Both' })

  const { bans } = await finish(ctx, await begin(ctx, items))

  expect(bans).toMatchObject({ done: 2, refused: [] })
  expect(await banned(one.communityId)).toEqual([author])
  expect(await banned(other.communityId)).toEqual([author, other.items[0]?.userId ?? ''].sort())
})

test('one undo lifts the bans it made with the decisions, and not those that somebody has changed since', async () => {
  const { communityId, reviewer, items } = await place(5)
  const [before, lifted, again, ...rest] = items
  if (!before || !lifted || !again) throw new Error('five are held')
  const ctx = as(reviewer, { undoWindowMs: WAIT_LIMIT_MS })
  const colleague = as(await make.reviewerOf(communityId))
  const space = { scope: 'community' as const, communityId }
  await banPerson(colleague, { userId: before.userId, space, minutes: null })
  const bulkId = await begin(ctx, items)
  expect((await finish(ctx, bulkId)).bans).toMatchObject({ done: 4, refused: [{ why: 'BANNED', count: 1 }] })
  for (const { userId } of [lifted, again]) await unbanPerson(colleague, { userId, space })
  await banPerson(colleague, { userId: again.userId, space, minutes: null })

  await undoBulk(ctx, { bulkId })
  const undone = await finish(ctx, bulkId)

  expect(undone).toMatchObject({ undone: 5, isUndone: true })
  expect(undone.bans).toMatchObject({ done: 2, undone: 2, refused: [{ why: 'CHANGED', count: 2 }] })
  expect(await banned(communityId)).toEqual(authorsOf([before, again]))
  const log = await prisma.audit.findMany({ where: { communityId, action: 'community.userUnbanned' } })
  expect(
    log
      .filter(({ actorId }) => actorId === reviewer.userId)
      .map(({ subjectId }) => subjectId)
      .sort(),
  ).toEqual(authorsOf(rest))
})

test('undone halfway, it lifts the bans made so far and makes no more', async () => {
  const { communityId, reviewer, items } = await place(60)
  const ctx = as(reviewer)
  const bulkId = await begin(ctx, items)
  // The second batch waits for this row.
  const last = authorsOf(items).at(30) ?? ''
  await make.member({ communityId, userId: last })
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select from community_user where community_id = $1 and user_id = $2 for update', [
    communityId,
    last,
  ])
  const working = finish(ctx, bulkId)
  await eventually('the first batch is done', async () => (await readBulk(ctx, { bulkId })).bans?.done).toBe(25)
  await waitForLockWaiter(database)
  const undoing = undoBulk(ctx, { bulkId })
  await client.query('commit')
  client.release()
  await Promise.all([undoing, working])

  const { bans } = await finish(ctx, bulkId)
  expect(bans?.undone).toBeGreaterThanOrEqual(25)
  expect(bans).toMatchObject({ done: 0, refused: [] })
  expect(await banned(communityId)).toEqual([])
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })).toBe(60)
})

test('two moderators who reject a wave and ban its authors at once ban each once', async () => {
  const count = scaled(40)
  const { communityId, reviewer, items } = await place(count)
  const colleague = await make.reviewerOf(communityId)
  const results = await Promise.all(
    [reviewer, colleague].map(async (actor) => finish(as(actor), await begin(as(actor), items))),
  )

  expect(results.reduce((sum, { bans }) => sum + (bans?.done ?? 0), 0)).toBe(count)
  expect(await banned(communityId)).toEqual(authorsOf(items))
  expect(await prisma.ban.count({ where: { communityId, liftedAt: null } })).toBe(count)
  expect(await prisma.audit.count({ where: { communityId, action: 'community.userBanned' } })).toBe(count)
})

test('a batch that fails bans nobody of it, and the worker continues where it stopped', async () => {
  const { communityId, items, reviewer } = await place(40)
  const staff = await prisma.staffAccount.create({
    data: { id: randomUUID(), name: 'Ana', email: `${randomUUID()}@docket.example`, networkUserId: reviewer.userId },
  })
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as({ ...reviewer, staffId: staff.id }, { now: clock.now })
  const broken = authorsOf(items).at(30) ?? ''
  await database.pool.query(`
    create function break_ban() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
    create trigger break_ban before insert on ban for each row when (new.user_id = '${broken}') execute function break_ban()`)
  const bulkId = await begin(ctx, items)
  await expect(finish(ctx, bulkId)).rejects.toThrow()

  expect(await readBulk(ctx, { bulkId })).toMatchObject({
    isFinished: false,
    waiting: 0,
    bans: { done: 25, waiting: 15 },
  })
  expect(await banned(communityId)).toEqual(authorsOf(items).slice(0, 25))
  expect(await prisma.audit.count({ where: { communityId, action: 'community.userBanned' } })).toBe(25)
  await database.pool.query('drop trigger break_ban on ban; drop function break_ban')
  clock.advance(10_000)
  await finishBatch({ ...systemCtx(database), now: clock.now })

  expect(await readBulk(ctx, { bulkId })).toMatchObject({ isFinished: true, bans: { done: 40, waiting: 0 } })
  expect(await banned(communityId)).toEqual(authorsOf(items))
})

test('bans from the network end access, with an event for each, and one undo lifts them', async () => {
  const { items } = await place(3)
  const { userId } = await make.user({ roles: ['super-moderator'] })
  const permissions = new Set(['MANAGE_POST_AND_COMMENT', 'BAN_USER'] as const)
  const ctx = as({ kind: 'admin', userId, name: 'Admin', rank: 800, permissions })
  const userIds = authorsOf(items)

  expect(await previewBans(ctx, { items: items.map(seen), except: [] })).toMatchObject([
    { scope: 'community', bannable: 3 },
    { scope: 'network', bannable: 3 },
  ])
  const bulkId = await begin(ctx, items, { scope: 'network' })
  expect((await finish(ctx, bulkId)).bans).toMatchObject({ done: 3, refused: [] })
  expect(await prisma.user.count({ where: { userId: { in: userIds }, isGlobalBan: true } })).toBe(3)
  const events = { name: 'user.didGlobalBan', subjectId: { in: userIds } }
  expect(await prisma.event.count({ where: events })).toBe(3)

  await undoBulk(ctx, { bulkId })
  expect((await finish(ctx, bulkId)).bans).toMatchObject({ done: 0, undone: 3 })
  expect(await prisma.user.count({ where: { userId: { in: userIds }, isGlobalBan: true } })).toBe(0)
  expect(await prisma.ban.count({ where: { userId: { in: userIds }, liftedAt: null } })).toBe(0)
})

test('bans from the channel of the community where it was written', async () => {
  const { communityId, reviewer, items } = await place(2)
  const channelId = `channel-${randomUUID()}`
  await prisma.channel.create({ data: { channelId, type: 'community' } })
  await prisma.community.update({ where: { communityId }, data: { channelId } })
  await prisma.channelUser.create({
    data: { channelId, userId: reviewer.userId, membership: 'member', roles: ['channel-moderator'] },
  })

  const { bans } = await finish(as(reviewer), await begin(as(reviewer), items, { scope: 'channel' }))

  expect(bans).toMatchObject({ scope: 'channel', done: 2 })
  const there = await prisma.channelUser.findMany({ where: { channelId, membership: 'banned' } })
  expect(there.map(({ userId }) => userId).sort()).toEqual(authorsOf(items))
  expect(await banned(communityId)).toEqual([])
})

test('bans come with rejections only', () => {
  const item = { subjectType: 'comment', subjectId: 'one', version: 1 }
  const ban = { scope: 'community', minutes: null, except: [] }
  const start = { bulkId: randomUUID(), items: [item], ban }
  expect(StartBulk.safeParse({ ...start, outcome: 'rejected' }).success).toBe(true)
  expect(StartBulk.safeParse({ ...start, outcome: 'approved' }).success).toBe(false)
})
