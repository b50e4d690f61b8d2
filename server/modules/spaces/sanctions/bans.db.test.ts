import { expect, onTestFinished, test } from 'vitest'
import { type Actor, actingUserId, type Ctx } from '#server/core/ctx.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { ban } from '#server/modules/spaces/sanctions/ban.ts'
import { banPerson, readBanChoices, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { liftEndedBans } from '#server/modules/spaces/sanctions/lift-ended-bans.ts'
import { liftEndedMutes } from '#server/modules/spaces/sanctions/lift-ended-mutes.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { readMuteChoices } from '#server/modules/spaces/sanctions/read-mute-choices.ts'
import { asAdmin, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)
const HOUR = 60

async function space() {
  const channel = await prisma.channel.create({
    data: { channelId: `channel-${crypto.randomUUID()}`, displayName: 'Talk' },
  })
  const community = await make.community()
  await prisma.community.update({
    where: { communityId: community.communityId },
    data: { channelId: channel.channelId },
  })
  return { channelId: channel.channelId, communityId: community.communityId }
}

const moderator = async (): Promise<Actor> => ({
  kind: 'admin',
  userId: (await make.user()).userId,
  name: 'Mo',
  rank: 600,
  permissions: new Set([
    'MANAGE_POST_AND_COMMENT',
    'BAN_USER',
    'BAN_COMMUNITY_USER',
    'BAN_USER_FROM_CHANNEL',
    'MUTE_USER_INSIDE_CHANNEL',
  ]),
})

test('a ban shows by whom, why and until when, in each kind of space, and can be lifted', async () => {
  const { channelId, communityId } = await space()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const { userId } = await make.user()
  const ctx = as(await moderator(), { now: clock.now })
  const spaces = [
    { scope: 'channel' as const, channelId },
    { scope: 'community' as const, communityId },
    { scope: 'network' as const },
  ]
  for (const space of spaces) await banPerson(ctx, { userId, space, minutes: 24 * HOUR, reason: 'Spam' })

  const choices = await readBanChoices(ctx, { userId, communityId })
  expect(choices.map(({ space }) => space)).toEqual(spaces)
  for (const { ban } of choices)
    expect(ban).toMatchObject({ at: '2026-01-01T00:00:00.000Z', endsAt: '2026-01-02T00:00:00.000Z', reason: 'Spam' })

  for (const space of spaces) await unbanPerson(ctx, { userId, space })
  expect((await readBanChoices(ctx, { userId, communityId })).map(({ ban }) => ban)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('offers only the spaces where the caller may ban', async () => {
  const { communityId } = await space()
  const reviewer = await make.reviewerOf(communityId)
  const colleague = await make.reviewerOf(communityId)
  const { userId } = await make.user()
  expect((await readBanChoices(as(reviewer), { userId, communityId })).map(({ space }) => space.scope)).toEqual([
    'community',
  ])
  expect(await readBanChoices(as(reviewer), { userId: colleague.userId, communityId })).toEqual([])
  expect(await readBanChoices(as(reviewer), { userId: reviewer.userId, communityId })).toEqual([])
  expect(await readBanChoices(as(asAdmin(['VIEW_USERS'])), { userId, communityId })).toEqual([])
  expect(await banPerson(as(reviewer), { userId, space: { scope: 'network' }, minutes: HOUR }).catch(failureOf)).toBe(
    'FORBIDDEN',
  )
})

test('bans end by themselves, never early and each once, with two workers running and one audit row each', async () => {
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(await moderator(), { now: clock.now })
  const system = { ...systemCtx(database), now: clock.now }
  const { channelId, communityId } = await space()
  const people = await Promise.all(Array.from({ length: 60 }, () => make.user()))
  for (const [index, { userId }] of people.entries()) {
    const spaces = [
      { scope: 'channel' as const, channelId },
      { scope: 'community' as const, communityId },
      { scope: 'network' as const },
    ]
    const space = spaces[index % 3] ?? { scope: 'network' as const }
    await banPerson(ctx, { userId, space, minutes: index < 30 ? HOUR : 2 * HOUR })
  }

  clock.advance(HOUR * 60_000 - 1)
  expect(await liftEndedBans(system)).toBe(0)
  clock.advance(1)
  await Promise.all([liftEndedBans(system), liftEndedBans(system)])

  const lifted = await prisma.ban.findMany({ where: { liftedAt: { not: null }, liftedBy: null } })
  expect(lifted.map(({ userId }) => userId).sort()).toEqual(
    people
      .slice(0, 30)
      .map(({ userId }) => userId)
      .sort(),
  )
  const log = await prisma.audit.findMany({
    where: {
      action: { in: ['channelUser.unbanned', 'community.userUnbanned', 'user.globallyUnbanned'] },
      actorKind: 'system',
    },
  })
  expect(log.map(({ subjectId }) => subjectId).sort()).toEqual(lifted.map(({ userId }) => userId).sort())
  expect(await prisma.channelUser.count({ where: { channelId, membership: 'banned' } })).toBe(10)
  expect(await prisma.communityUser.count({ where: { communityId, membership: 'banned' } })).toBe(10)
  const userIds = people.map(({ userId }) => userId)
  expect(await prisma.user.count({ where: { isGlobalBan: true, userId: { in: userIds } } })).toBe(10)
})

test('a person who was unbanned and banned again stays banned for the new time', async () => {
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(await moderator(), { now: clock.now })
  const { communityId } = await space()
  const { userId } = await make.user()
  const ban = { userId, space: { scope: 'community' as const, communityId } }
  await banPerson(ctx, { ...ban, minutes: HOUR })
  await unbanPerson(ctx, ban)
  await banPerson(ctx, { ...ban, minutes: null })
  clock.advance(HOUR * 60_000)
  await liftEndedBans({ ...systemCtx(database), now: clock.now })
  expect(await prisma.communityUser.findFirst({ where: { communityId, userId } })).toMatchObject({
    membership: 'banned',
  })
})

test('a permanent ban over a temporary one in a channel no longer ends, and the log has both', async () => {
  const { channelId } = await space()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const { userId } = await make.user()
  const ctx = as(await moderator(), { now: clock.now })
  const ban = (minutes: number | null, reason?: string) =>
    banPerson(ctx, { userId, space: { scope: 'channel', channelId }, minutes, reason })
  await ban(HOUR, 'Spam')
  for (let twice = 0; twice < 2; twice += 1) await ban(null)
  clock.advance(24 * 3_600_000)
  await liftEndedBans({ ...systemCtx(database), now: clock.now })
  expect(await prisma.ban.findMany({ where: { userId } })).toMatchObject([
    { liftedAt: null, endsAt: null, reason: 'Spam' },
  ])
  const logged = await prisma.audit.findMany({ where: { subjectId: userId }, orderBy: { auditId: 'asc' } })
  expect(logged.map(({ after }) => after)).toMatchObject([{ endsAt: '2026-01-01T01:00:00.000Z' }, {}])
  expect(logged).toHaveLength(2)
  expect(logged[1]?.after).not.toHaveProperty('endsAt')
})

test.each([
  'community',
  'network',
] as const)('a permanent ban over a temporary one in a %s is refused, never taken for done, and counts once that is lifted', async (scope) => {
  const { communityId } = await space()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const { userId } = await make.user()
  const ctx = as(await moderator(), { now: clock.now })
  const where = scope === 'network' ? { scope } : { scope, communityId }
  const ban = (minutes: number | null) => banPerson(ctx, { userId, space: where, minutes })
  await ban(HOUR)
  expect(await ban(null).catch(failureOf)).toBe(scope === 'network' ? 'GLOBALLY_BANNED' : 'BANNED')
  expect(await prisma.ban.findMany({ where: { userId } })).toMatchObject([
    { liftedAt: null, endsAt: new Date('2026-01-01T01:00:00Z') },
  ])

  await unbanPerson(ctx, { userId, space: where })
  await ban(null)
  clock.advance(24 * 3_600_000)
  await liftEndedBans({ ...systemCtx(database), now: clock.now })
  expect(await prisma.ban.findMany({ where: { userId, liftedAt: null } })).toMatchObject([{ endsAt: null }])
})

test('a ban of several bans nobody where it fails on the terms of one who is banned already', async () => {
  const { channelId } = await space()
  const ctx = as(await moderator())
  const [known, unknown] = [await make.user(), await make.user()]
  await ban(ctx, channelSpace, {
    spaceId: channelId,
    userIds: [known.userId],
    terms: { endsAt: new Date('2030-01-01') },
  })
  await database.pool.query(`
    create function fail_ban() returns trigger language plpgsql as 'begin raise exception ''no new terms''; end';
    create trigger fail_ban before update on ban for each row when (old.user_id = '${known.userId}') execute function fail_ban()`)
  onTestFinished(async () => {
    await database.pool.query('drop function if exists fail_ban cascade')
  })
  const userIds = [known.userId, unknown.userId]
  const banBoth = () => ban(ctx, channelSpace, { spaceId: channelId, userIds })
  const isBanned = () => prisma.ban.count({ where: { userId: unknown.userId } })
  await expect(banBoth()).rejects.toThrow('no new terms')
  expect(await isBanned()).toBe(0)

  await database.pool.query('drop function fail_ban cascade')
  await banBoth()
  expect(await isBanned()).toBe(1)
  expect(await prisma.ban.findMany({ where: { userId: known.userId } })).toMatchObject([{ endsAt: null }])
})

test('a mute ends by itself, is published and logged once, and a longer one set in between stays', async () => {
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(await moderator(), { now: clock.now })
  const system = { ...systemCtx(database), now: clock.now }
  const { channelId } = await space()
  const [short, long] = await Promise.all([make.user(), make.user()])
  for (const { userId } of [short, long]) await make.channelUser({ channelId, userId })
  const mute = (userIds: string[], mutePeriod: number) =>
    muteUsers(ctx, channelSpace, { spaceId: channelId, userIds, mutePeriod, reason: 'Shouting' })
  await mute([short.userId, long.userId], HOUR * 60_000)
  await mute([long.userId], 2 * HOUR * 60_000)

  clock.advance(HOUR * 60_000 - 1)
  expect(await liftEndedMutes(system)).toBe(0)
  clock.advance(1)
  await Promise.all([liftEndedMutes(system), liftEndedMutes(system)])

  const inForce = await prisma.mute.findMany({ where: { channelId, liftedAt: null } })
  expect(inForce).toMatchObject([{ userId: long.userId, reason: 'Shouting', endsAt: new Date('2026-01-01T02:00:00Z') }])
  expect(await prisma.mute.findMany({ where: { userId: short.userId } })).toMatchObject([
    { liftedAt: clock.now(), liftedBy: null },
  ])
  const log = await prisma.audit.findMany({ where: { channelId, action: 'channelUser.unmuted' } })
  expect(log).toMatchObject([{ subjectId: short.userId, actorKind: 'system' }])
  const events = await prisma.event.findMany({ where: { subjectId: channelId, name: 'desk.channel.didUnmuteUsers' } })
  expect(events).toMatchObject([{ payload: { userIds: [short.userId] } }])
})

test('a mute in a community ends by itself, and is published and logged once', async () => {
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(await moderator(), { now: clock.now })
  const system = { ...systemCtx(database), now: clock.now }
  const { communityId } = await space()
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  await muteUsers(ctx, communitySpace, { spaceId: communityId, userIds: [userId], mutePeriod: 60_000, reason: 'Loud' })
  clock.advance(60_000)
  await Promise.all([liftEndedMutes(system), liftEndedMutes(system)])

  expect(await prisma.mute.findMany({ where: { communityId } })).toMatchObject([
    { userId, reason: 'Loud', liftedAt: clock.now(), liftedBy: null },
  ])
  expect(await prisma.communityUser.findFirst({ where: { communityId, userId } })).toMatchObject({ muteTimeout: null })
  expect(await prisma.audit.findMany({ where: { communityId, action: 'community.userUnmuted' } })).toMatchObject([
    { subjectId: userId, actorKind: 'system' },
  ])
  expect(await prisma.event.count({ where: { subjectId: communityId, name: 'desk.community.didUnmuteUsers' } })).toBe(1)
})

test('a ban records who made it in each kind of space, also where that is an admin token', async () => {
  const { channelId, communityId } = await space()
  const [byPerson, byToken] = [await make.user(), await make.user()]
  const person = await moderator()
  const spaces = [
    { scope: 'channel' as const, channelId },
    { scope: 'community' as const, communityId },
    { scope: 'network' as const },
  ]
  const token = asAdmin(['BAN_USER'])
  for (const space of spaces) {
    await banPerson(as(person), { userId: byPerson.userId, space, minutes: null })
    await banPerson(as(token), { userId: byToken.userId, space, minutes: null })
  }
  const makersOf = async (userId: string) => {
    const bans = await prisma.ban.findMany({ where: { userId }, orderBy: { banId: 'asc' } })
    return bans.map(({ scope, bannedBy }) => [scope, bannedBy])
  }
  const scopes = ['channel', 'community', 'network']
  expect(await makersOf(byPerson.userId)).toEqual(scopes.map((scope) => [scope, actingUserId(as(person))]))
  expect(await makersOf(byToken.userId)).toEqual(scopes.map((scope) => [scope, 'admin token test']))
})

test('offers to mute a person where they are a member of lower rank: in the space where they were met, or in all spaces of the person', async () => {
  const [here, elsewhere] = [await space(), await space()]
  const { userId } = await make.user()
  for (const { communityId, channelId } of [here, elsewhere]) {
    await make.member({ communityId, userId })
    await prisma.channelUser.create({ data: { channelId, userId, membership: 'member' } })
  }
  const by = as(await moderator())
  const local = as(await make.reviewerOf(here.communityId))
  const stranger = as(await make.reviewerOf((await make.community()).communityId))
  const spacesFor = async (ctx: Ctx, foundIn: object = {}) =>
    (await readMuteChoices(ctx, { userId, ...foundIn })).map(({ space }) =>
      space.scope === 'community' ? space.communityId : space.channelId,
    )
  expect(await spacesFor(by, { communityId: here.communityId })).toEqual([here.communityId, here.channelId])
  expect(await spacesFor(by, { channelId: here.channelId })).toEqual([here.channelId])
  expect((await spacesFor(by)).toSorted()).toEqual([here, elsewhere].flatMap(Object.values<string>).toSorted())
  expect(await spacesFor(local)).toEqual([here.communityId])
  expect(await spacesFor(stranger)).toEqual([])

  await muteUsers(by, communitySpace, {
    spaceId: here.communityId,
    userIds: [userId],
    mutePeriod: 60_000,
    reason: 'Loud',
  })
  const [first, second] = await readMuteChoices(by, { userId, communityId: here.communityId })
  expect([first?.mute, second?.mute]).toMatchObject([{ reason: 'Loud', endsAt: expect.any(String) }, undefined])
  // Of those who left, and of equals, there is nothing to mute.
  await prisma.communityUser.updateMany({
    where: { userId, communityId: elsewhere.communityId },
    data: { membership: 'none' },
  })
  await prisma.communityUser.updateMany({
    where: { userId, communityId: here.communityId },
    data: { roles: ['community-moderator'] },
  })
  expect(await spacesFor(local)).toEqual([])
  expect(await spacesFor(by)).not.toContain(elsewhere.communityId)
})
