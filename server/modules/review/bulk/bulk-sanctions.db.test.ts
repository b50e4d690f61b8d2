import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { previewSanctions } from '#server/modules/review/bulk/preview-sanctions.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { SANCTION_SCOPES } from '#server/modules/spaces/sanctions/schema.ts'
import { clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { finishBatch } from '#server/worker/finish-bulks.ts'

const { database, prisma, make } = await testDatabase()
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
type Sanction = NonNullable<StartBulk['sanction']>

const seen = ({ subjectType, subjectId, version }: Item) => ({ subjectType, subjectId, version })

async function begin(ctx: Ctx, items: Item[], given: Partial<Sanction> = {}) {
  const bulkId = randomUUID()
  const sanction = { sanction: 'ban', scope: 'community', minutes: null, except: [], ...given }
  await startBulk(ctx, StartBulk.parse({ bulkId, outcome: 'rejected', items: items.map(seen), sanction }))
  return bulkId
}

/** Only members can be muted. */
async function join(communityId: string, items: Item[]) {
  for (const { userId } of items) await make.member({ communityId, userId })
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
const muted = async (communityId: string) =>
  (
    await prisma.communityUser.findMany({
      where: { communityId, muteTimeout: { not: null } },
      orderBy: { userId: 'asc' },
    })
  ).map(({ userId }) => userId)

/** A ban or a mute: whom there is one of in a community, how each is stored, and how it is logged and published. */
const KINDS = {
  ban: {
    sanctioned: banned,
    stored: (communityId: string) =>
      prisma.ban
        .findMany({ where: { communityId, liftedAt: null } })
        .then((bans) => bans.map(({ reason, endsAt, bannedBy, userId }) => ({ reason, endsAt, by: bannedBy, userId }))),
    action: 'community.userBanned',
    event: 'v3.community.didBan',
  },
  mute: {
    sanctioned: muted,
    stored: (communityId: string) =>
      prisma.mute
        .findMany({ where: { communityId, liftedAt: null } })
        .then((mutes) => mutes.map(({ reason, endsAt, mutedBy, userId }) => ({ reason, endsAt, by: mutedBy, userId }))),
    action: 'community.userMuted',
    event: 'desk.community.didMuteUsers',
  },
}
const EACH = ['ban', 'mute'] as const

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

  const forecasts = await previewSanctions(as(reviewer), { items: items.map(seen), except: [seen(leftOut)] })

  expect(forecasts.filter(({ sanction }) => sanction === 'ban')).toEqual([
    {
      sanction: 'ban',
      scope: 'community',
      accounts: 8,
      possible: 2,
      refused: [
        { why: 'REVIEWER', count: 2 },
        ...['BANNED', 'EXCEPTED', 'GONE', 'RANK'].map((why) => ({ why, count: 1 })),
      ],
    },
  ])
  const done = await finish(as(reviewer), await begin(as(reviewer), items, { except: [seen(leftOut)] }))
  expect(done.sanctions).toEqual({
    sanction: 'ban',
    scope: 'community',
    waiting: 0,
    done: 2,
    undone: 0,
    refused: forecasts[0]?.refused,
  })
})

test('previews how many authors can be muted, and mutes them but not those muted already or of no lower rank', async () => {
  const { communityId, reviewer, items } = await place(9)
  const [banned, mutedBefore, stranger, colleague, ranked, spared, ...rest] = items
  if (!banned || !mutedBefore || !stranger || !colleague || !ranked || !spared) throw new Error('nine are held')
  await make.member({ communityId, userId: banned.userId, membership: 'banned' })
  await join(communityId, [mutedBefore, spared, ...rest])
  await make.member({ communityId, userId: colleague.userId, roles: ['community-moderator'] })
  await make.member({ communityId, userId: ranked.userId, roles: [await role(9_999, [])] })
  const hourly = { spaceId: communityId, userIds: [mutedBefore.userId], mutePeriod: 3_600_000 }
  await muteUsers(as(await make.reviewerOf(communityId)), communitySpace, hourly)
  const leftOut = await hold(communityId, spared.userId)

  const forecasts = await previewSanctions(as(reviewer), { items: items.map(seen), except: [seen(leftOut)] })

  const refused = ['BANNED', 'EXCEPTED', 'MUTED', 'NOT_MEMBER', 'RANK', 'REVIEWER'].map((why) => ({ why, count: 1 }))
  expect(forecasts.filter(({ sanction }) => sanction === 'mute')).toEqual([
    { sanction: 'mute', scope: 'community', accounts: 9, possible: 3, refused },
  ])
  const done = await finish(
    as(reviewer),
    await begin(as(reviewer), items, { sanction: 'mute', except: [seen(leftOut)] }),
  )
  expect(done.sanctions).toEqual({
    sanction: 'mute',
    scope: 'community',
    waiting: 0,
    done: 3,
    undone: 0,
    refused,
  })
  expect(await muted(communityId)).toEqual(authorsOf([mutedBefore, ...rest]))
})

test.each(EACH)('offers no %s to a reviewer who may not, and makes none when asked to', async (sanction) => {
  const { communityId, items } = await place(2)
  await join(communityId, items)
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: [await role(200, ['REVIEW_COMMUNITY_COMMENT'])] })
  const ctx = as({ kind: 'user', userId, name: 'Reviews only' })

  expect(await previewSanctions(ctx, { items: items.map(seen), except: [] })).toEqual([])
  for (const scope of SANCTION_SCOPES[sanction].filter((scope) => scope !== 'channel')) {
    const { communityId, items } = await place(2)
    await join(communityId, items)
    await make.member({ communityId, userId, roles: [await role(200, ['REVIEW_COMMUNITY_COMMENT'])] })
    const done = await finish(ctx, await begin(ctx, items, { sanction, scope } as Partial<Sanction>))
    expect(done).toMatchObject({ done: 2, sanctions: { done: 0, refused: [{ why: 'FORBIDDEN', count: 2 }] } })
    expect(await KINDS[sanction].sanctioned(communityId)).toEqual([])
  }
})

test.each(
  EACH,
)('makes a %s of the authors of what was rejected, for the time and reason given, each with an audit row', async (sanction) => {
  const { communityId, reviewer, items } = await place(4)
  await join(communityId, items)
  const { sanctioned, stored, action, event } = KINDS[sanction]
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(reviewer, { now: clock.now })
  const [approved, ...rest] = items
  if (!approved) throw new Error('four are held')
  await decide(as(await make.reviewerOf(communityId)), { ...seen(approved), outcome: 'approved' })

  const bulkId = await begin(ctx, items, { sanction, minutes: 2 * HOUR, reason: 'Spam' })
  const done = await finish(ctx, bulkId)

  expect(done.sanctions).toEqual({
    sanction,
    scope: 'community',
    waiting: 0,
    done: 3,
    undone: 0,
    refused: [{ why: 'NOT_REJECTED', count: 1 }],
  })
  expect(await sanctioned(communityId)).toEqual(authorsOf(rest))
  expect((await stored(communityId)).map(({ reason, endsAt, by }) => [reason, endsAt, by])).toEqual(
    rest.map(() => ['Spam', new Date('2026-01-01T02:00:00Z'), reviewer.userId]),
  )
  const log = await prisma.audit.findMany({ where: { communityId, action } })
  expect(log.map(({ subjectId }) => subjectId).sort()).toEqual(authorsOf(rest))
  const events = await prisma.event.findMany({ where: { communityId, name: event } })
  const named = events.flatMap(({ payload }) => (payload as { users: { userId: string }[] }).users)
  expect(named.map(({ userId }) => userId)).toEqual(expect.arrayContaining(authorsOf(rest)))
  expect(await prisma.bulk.findUnique({ where: { bulkId } })).toMatchObject({
    sanction,
    sanctionScope: 'community',
    sanctionReason: null,
  })
  expect(await prisma.audit.findFirst({ where: { subjectId: bulkId, action: 'bulk.started' } })).toMatchObject({
    after: { [`${sanction}s`]: 'community', endsAt: '2026-01-01T02:00:00.000Z' },
  })
})

test.each(
  EACH,
)('makes a %s of an author in each community where something that they wrote was rejected, and counts them once', async (sanction) => {
  const [one, other] = [await place(1), await place(1)]
  const { userId } = await make.user()
  for (const { communityId } of [one, other]) await make.member({ communityId, userId, roles: ['community-moderator'] })
  const author = one.items[0]?.userId ?? ''
  const items = [...one.items, ...other.items, await hold(other.communityId, author)]
  const ctx = as({ kind: 'user', userId, name: 'Both' })
  await join(one.communityId, one.items)
  await join(other.communityId, [...one.items, ...other.items])
  const { sanctioned } = KINDS[sanction]

  const { sanctions } = await finish(ctx, await begin(ctx, items, { sanction }))

  expect(sanctions).toMatchObject({ done: 2, refused: [] })
  expect(await sanctioned(one.communityId)).toEqual([author])
  expect(await sanctioned(other.communityId)).toEqual([author, other.items[0]?.userId ?? ''].sort())
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
  expect((await finish(ctx, bulkId)).sanctions).toMatchObject({ done: 4, refused: [{ why: 'BANNED', count: 1 }] })
  for (const { userId } of [lifted, again]) await unbanPerson(colleague, { userId, space })
  await banPerson(colleague, { userId: again.userId, space, minutes: null })

  await undoBulk(ctx, { bulkId })
  const undone = await finish(ctx, bulkId)

  expect(undone).toMatchObject({ undone: 5, isUndone: true })
  expect(undone.sanctions).toMatchObject({ done: 2, undone: 2, refused: [{ why: 'CHANGED', count: 2 }] })
  expect(await banned(communityId)).toEqual(authorsOf([before, again]))
  const log = await prisma.audit.findMany({ where: { communityId, action: 'community.userUnbanned' } })
  expect(
    log
      .filter(({ actorId }) => actorId === reviewer.userId)
      .map(({ subjectId }) => subjectId)
      .sort(),
  ).toEqual(authorsOf(rest))
})

test('one undo lifts the mutes it made with the decisions, and not those that somebody has changed since', async () => {
  const { communityId, reviewer, items } = await place(6)
  await join(communityId, items)
  const [before, lifted, again, left, ...rest] = items
  if (!before || !lifted || !again || !left) throw new Error('six are held')
  const ctx = as(reviewer, { undoWindowMs: WAIT_LIMIT_MS })
  const colleague = as(await make.reviewerOf(communityId))
  const mute = (items: Item[], mutePeriod: number) =>
    muteUsers(colleague, communitySpace, { spaceId: communityId, userIds: authorsOf(items), mutePeriod })
  await mute([before], 3_600_000)
  const bulkId = await begin(ctx, items, { sanction: 'mute' })
  expect((await finish(ctx, bulkId)).sanctions).toMatchObject({ done: 5, refused: [{ why: 'MUTED', count: 1 }] })
  await mute([lifted, again], 0)
  await mute([again], 3_600_000)
  await prisma.communityUser.update({
    where: { communityId_userId: { communityId, userId: left.userId } },
    data: { membership: 'none' },
  })

  await undoBulk(ctx, { bulkId })
  const undone = await finish(ctx, bulkId)

  expect(undone).toMatchObject({ undone: 6, isUndone: true })
  const refused = [
    { why: 'CHANGED', count: 2 },
    { why: 'NOT_MEMBER', count: 1 },
  ]
  expect(undone.sanctions).toMatchObject({ done: 3, undone: 2, refused })
  expect(await muted(communityId)).toEqual(authorsOf([before, again, left]))
  const log = await prisma.audit.findMany({
    where: { communityId, action: 'community.userUnmuted', actorId: reviewer.userId },
  })
  expect(log.map(({ subjectId }) => subjectId).sort()).toEqual(authorsOf(rest))
  // The colleague's, and one for all of the undo.
  expect(await prisma.event.count({ where: { communityId, name: 'desk.community.didUnmuteUsers' } })).toBe(2)
})

test.each(EACH)('undone halfway, it lifts each %s made so far and makes no more', async (sanction) => {
  const { communityId, reviewer, items } = await place(60)
  await join(communityId, items)
  const ctx = as(reviewer)
  const bulkId = await begin(ctx, items, { sanction })
  // The second batch waits for this row.
  const last = authorsOf(items).at(30) ?? ''
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select from community_user where community_id = $1 and user_id = $2 for update', [
    communityId,
    last,
  ])
  const working = finish(ctx, bulkId)
  await eventually('the first batch is done', async () => (await readBulk(ctx, { bulkId })).sanctions?.done).toBe(25)
  await waitForLockWaiter(database)
  const undoing = undoBulk(ctx, { bulkId })
  await client.query('commit')
  client.release()
  await Promise.all([undoing, working])

  const { sanctions } = await finish(ctx, bulkId)
  expect(sanctions?.undone).toBeGreaterThanOrEqual(25)
  expect(sanctions).toMatchObject({ done: 0, refused: [] })
  expect(await KINDS[sanction].sanctioned(communityId)).toEqual([])
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })).toBe(60)
})

test.each(
  EACH,
)('two moderators who reject a wave with a %s of its authors at once make one of each', async (sanction) => {
  const count = scaled(40)
  const { communityId, reviewer, items } = await place(count)
  await join(communityId, items)
  const { sanctioned, stored, action } = KINDS[sanction]
  const colleague = await make.reviewerOf(communityId)
  const results = await Promise.all(
    [reviewer, colleague].map(async (actor) => finish(as(actor), await begin(as(actor), items, { sanction }))),
  )

  expect(results.reduce((sum, { sanctions }) => sum + (sanctions?.done ?? 0), 0)).toBe(count)
  expect(await sanctioned(communityId)).toEqual(authorsOf(items))
  expect((await stored(communityId)).map(({ userId }) => userId).sort()).toEqual(authorsOf(items))
  expect(await prisma.audit.count({ where: { communityId, action } })).toBe(count)
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
    sanctions: { done: 25, waiting: 15 },
  })
  expect(await banned(communityId)).toEqual(authorsOf(items).slice(0, 25))
  expect(await prisma.audit.count({ where: { communityId, action: 'community.userBanned' } })).toBe(25)
  await database.pool.query('drop trigger break_ban on ban; drop function break_ban')
  clock.advance(10_000)
  await finishBatch({ ...systemCtx(database), now: clock.now })

  expect(await readBulk(ctx, { bulkId })).toMatchObject({ isFinished: true, sanctions: { done: 40, waiting: 0 } })
  expect(await banned(communityId)).toEqual(authorsOf(items))
})

test('bans from the network end access, with an event for each, and one undo lifts them', async () => {
  const { items } = await place(3)
  const { userId } = await make.user({ roles: ['super-moderator'] })
  const permissions = new Set(['MANAGE_POST_AND_COMMENT', 'BAN_USER'] as const)
  const ctx = as({ kind: 'admin', userId, name: 'Admin', rank: 800, permissions })
  const userIds = authorsOf(items)

  expect(await previewSanctions(ctx, { items: items.map(seen), except: [] })).toMatchObject([
    { sanction: 'ban', scope: 'community', possible: 3 },
    { sanction: 'ban', scope: 'network', possible: 3 },
  ])
  const bulkId = await begin(ctx, items, { scope: 'network' })
  expect((await finish(ctx, bulkId)).sanctions).toMatchObject({ done: 3, refused: [] })
  expect(await prisma.user.count({ where: { userId: { in: userIds }, isGlobalBan: true } })).toBe(3)
  const events = { name: 'user.didGlobalBan', subjectId: { in: userIds } }
  expect(await prisma.event.count({ where: events })).toBe(3)

  await undoBulk(ctx, { bulkId })
  expect((await finish(ctx, bulkId)).sanctions).toMatchObject({ done: 0, undone: 3 })
  expect(await prisma.user.count({ where: { userId: { in: userIds }, isGlobalBan: true } })).toBe(0)
  expect(await prisma.ban.count({ where: { userId: { in: userIds }, liftedAt: null } })).toBe(0)
})

test.each(EACH)('makes a %s in the channel of the community where it was written', async (sanction) => {
  const { communityId, reviewer, items } = await place(2)
  await join(communityId, items)
  const channelId = `channel-${randomUUID()}`
  await prisma.channel.create({ data: { channelId, type: 'community' } })
  await prisma.community.update({ where: { communityId }, data: { channelId } })
  const member = { channelId, membership: 'member' as const }
  await prisma.channelUser.createMany({
    data: [
      { ...member, userId: reviewer.userId, roles: ['channel-moderator'] },
      ...items.map(({ userId }) => ({ ...member, userId })),
    ],
  })
  const ctx = as(reviewer)

  const bulkId = await begin(ctx, items, { sanction, scope: 'channel' })
  expect((await finish(ctx, bulkId)).sanctions).toMatchObject({ sanction, scope: 'channel', done: 2 })

  const isThere = sanction === 'ban' ? { membership: 'banned' as const } : { muteTimeout: { not: null } }
  const there = () => prisma.channelUser.findMany({ where: { channelId, ...isThere } })
  expect((await there()).map(({ userId }) => userId).sort()).toEqual(authorsOf(items))
  expect(await KINDS[sanction].sanctioned(communityId)).toEqual([])
  await undoBulk(ctx, { bulkId })
  expect((await finish(ctx, bulkId)).sanctions).toMatchObject({ done: 0, undone: 2 })
  expect(await there()).toEqual([])
})

test('bans and mutes come with rejections only, and nobody is muted in the network', () => {
  const item = { subjectType: 'comment', subjectId: 'one', version: 1 }
  const isValid = (outcome: string, sanction: object) =>
    StartBulk.safeParse({
      bulkId: randomUUID(),
      items: [item],
      outcome,
      sanction: { scope: 'community', minutes: null, except: [], ...sanction },
    }).success
  for (const sanction of EACH) {
    expect(isValid('rejected', { sanction })).toBe(true)
    expect(isValid('approved', { sanction })).toBe(false)
  }
  expect(isValid('rejected', { sanction: 'ban', scope: 'network' })).toBe(true)
  expect(isValid('rejected', { sanction: 'mute', scope: 'network' })).toBe(false)
})
