import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { runProgram, untilReady } from '#server/testing/program.ts'
import { scaled } from '#server/testing/scaled.ts'

const { url: DATABASE_URL, prisma, make } = await testDatabase()

/** Half of them before one process is killed, half after that. */
const BANS = scaled(100)
const MUTES = scaled(20)
const LAST_ENDS_IN_MS = 2_000 + scaled(600)
const SPACES = 5
const SCOPES = ['network', 'community', 'channel'] as const

/** This many people, and when their bans and mutes end: evenly spread over the next seconds. */
function peopleEnding(count: number) {
  const from = Date.now()
  return Array.from({ length: count }, (_, index) => ({
    userId: `user-${randomUUID()}`,
    index,
    endsAt: new Date(from + Math.floor((index / count) * LAST_ENDS_IN_MS)),
  }))
}

async function banSome() {
  const spaces = await Promise.all(
    Array.from({ length: SPACES }, async () => ({
      communityId: (await make.community()).communityId,
      channelId: (await make.channel()).channelId,
    })),
  )
  const bans = peopleEnding(BANS / 2).map(({ userId, index, endsAt }) => {
    const { communityId, channelId } = spaces[Math.floor(index / SCOPES.length) % SPACES] ?? {
      communityId: '',
      channelId: '',
    }
    const scope = SCOPES[index % SCOPES.length] ?? 'network'
    return {
      scope,
      userId,
      endsAt,
      ...(scope === 'community' && { communityId }),
      ...(scope === 'channel' && { channelId }),
    }
  })
  await prisma.user.createMany({
    data: bans.map(({ userId, scope }) => ({ userId, isGlobalBan: scope === 'network' })),
  })
  await prisma.communityUser.createMany({
    data: bans.flatMap(({ userId, communityId }) =>
      communityId === undefined ? [] : [{ userId, communityId, membership: 'banned' as const }],
    ),
  })
  await prisma.channelUser.createMany({
    data: bans.flatMap(({ userId, channelId }) =>
      channelId === undefined ? [] : [{ userId, channelId, membership: 'banned' as const }],
    ),
  })
  await prisma.ban.createMany({ data: bans })
  return bans
}

/** Every other one in a community. */
async function muteSome() {
  const { channelId } = await make.channel()
  const { communityId } = await make.community()
  const mutes = peopleEnding(MUTES / 2)
  const [inChannel, inCommunity] = [
    mutes.filter(({ index }) => index % 2 === 0),
    mutes.filter(({ index }) => index % 2 === 1),
  ]
  await prisma.user.createMany({ data: mutes.map(({ userId }) => ({ userId })) })
  // Before what ends them: the first end at once.
  await prisma.mute.createMany({
    data: [
      ...inChannel.map(({ userId, endsAt }) => ({ channelId, userId, endsAt })),
      ...inCommunity.map(({ userId, endsAt }) => ({ communityId, userId, endsAt })),
    ],
  })
  await prisma.channelUser.createMany({
    data: inChannel.map(({ userId, endsAt }) => ({ channelId, userId, membership: 'member', muteTimeout: endsAt })),
  })
  await prisma.communityUser.createMany({
    data: inCommunity.map(({ userId, endsAt }) => ({ communityId, userId, membership: 'member', muteTimeout: endsAt })),
  })
  return mutes
}

const liftedBans = () => prisma.ban.count({ where: { liftedAt: { not: null } } })
const idsOf = (people: { userId: string }[]) => people.map(({ userId }) => userId).sort()

test(`${BANS} bans end while two processes run and one is killed: each is lifted once and none early`, async () => {
  const [one, two] = await Promise.all([runProgram({ DATABASE_URL }), runProgram({ DATABASE_URL })])
  await Promise.all([untilReady(one), untilReady(two)])
  const first = await Promise.all([banSome(), muteSome()])

  await eventually('a part of the bans is lifted', liftedBans).toBeGreaterThan(BANS / 6)
  one.process.kill('SIGKILL')
  await one.ended
  const second = await Promise.all([banSome(), muteSome()])
  const bans = [...first[0], ...second[0]]
  const mutes = [...first[1], ...second[1]]
  await eventually('all bans are lifted', liftedBans).toBe(BANS)
  await eventually('all mutes are lifted', () => prisma.mute.count({ where: { liftedAt: { not: null } } })).toBe(MUTES)

  const early = await prisma.$queryRaw`
    select user_id from ban where lifted_at < ends_at union all select user_id from mute where lifted_at < ends_at`
  expect(early).toEqual([])
  expect(await prisma.ban.count({ where: { liftedBy: { not: null } } })).toBe(0)
  const log = async (actions: string[]) =>
    (await prisma.audit.findMany({ where: { action: { in: actions } } })).map(({ subjectId }) => subjectId).sort()
  expect(await log(['channelUser.unbanned', 'community.userUnbanned', 'user.globallyUnbanned'])).toEqual(idsOf(bans))
  expect(await log(['channelUser.unmuted', 'community.userUnmuted'])).toEqual(idsOf(mutes))
  expect(await prisma.user.count({ where: { isGlobalBan: true } })).toBe(0)
  expect(
    await prisma.communityUser.count({ where: { OR: [{ membership: 'banned' }, { muteTimeout: { not: null } }] } }),
  ).toBe(0)
  expect(
    await prisma.channelUser.count({ where: { OR: [{ membership: 'banned' }, { muteTimeout: { not: null } }] } }),
  ).toBe(0)
})
