import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { CHANNEL_PERMISSIONS, COMMUNITY_PERMISSIONS, NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { findOutsiders } from '#server/modules/desk/spaces/find-outsiders.ts'
import { listDeskChannels } from '#server/modules/desk/spaces/list-channels.ts'
import { listDeskCommunities } from '#server/modules/desk/spaces/list-communities.ts'
import { countDeskMembers, listDeskMembers } from '#server/modules/desk/spaces/list-members.ts'
import {
  addDeskRole,
  banDeskMembers,
  banDeskMembersAgain,
  muteDeskMembers,
  removeDeskMembers,
  restoreDeskMembers,
  unbanDeskMembers,
} from '#server/modules/desk/spaces/member-acts.ts'
import { readDeskChannel } from '#server/modules/desk/spaces/read-channel.ts'
import { readDeskCommunity, setCommunity } from '#server/modules/desk/spaces/read-community.ts'
import {
  DeskChannelsInput,
  DeskCommunitiesInput,
  type MemberSpace,
  MembersInput,
} from '#server/modules/desk/spaces/schema.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { addMembers } from '#server/modules/spaces/membership/add-members.ts'
import { liftEndedBans } from '#server/modules/spaces/sanctions/lift-ended-bans.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)
const GLOBAL = {
  ...asAdmin([...NETWORK_PERMISSIONS, ...CHANNEL_PERMISSIONS, ...COMMUNITY_PERMISSIONS]),
  rank: 1_000,
} as Actor
const SUPPORT = asAdmin(['VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'])
const DAY = 24 * 60

/** A channel with its moderator and somebody who is a helper there. */
async function channelOf(over: { isPublic?: boolean; type?: 'conversation' } = {}) {
  const { channelId } = await make.channel(over)
  const { userId: moderatorId } = await make.moderatorOf(channelId)
  const { userId } = await make.channelUser({ channelId, displayName: 'Helping hand' })
  return {
    space: { scope: 'channel' as const, channelId },
    channelId,
    userId,
    moderator: asUser(moderatorId),
    moderatorId,
  }
}

const list = (ctx: Ctx, space: MemberSpace, over: object = {}) =>
  listDeskMembers(ctx, MembersInput.parse({ space, ...over }))

async function memberOf(ctx: Ctx, space: MemberSpace, userId: string) {
  const { members } = await list(ctx, space, { filter: 'member&banned', search: userId })
  return members.find((member) => member.userId === userId)
}

test('shows who banned or muted a member, when, why and until when', async () => {
  const { space, channelId, userId, moderator } = await channelOf()
  const other = await make.channelUser({ channelId })
  const clock = clockAt('2026-03-01T12:00:00Z')
  const ctx = as(moderator, { now: clock.now })
  await banDeskMembers(ctx, { space, userIds: [userId], minutes: DAY, reason: 'Selling watches' })
  await muteDeskMembers(ctx, { space, userIds: [other.userId], minutes: 60, reason: 'Flooding' })

  expect(await memberOf(ctx, space, userId)).toMatchObject({
    membership: 'banned',
    ban: {
      at: '2026-03-01T12:00:00.000Z',
      endsAt: '2026-03-02T12:00:00.000Z',
      reason: 'Selling watches',
      by: expect.any(String),
    },
    may: { ban: false, unban: true, mute: false, remove: false },
  })
  expect(await memberOf(ctx, space, other.userId)).toMatchObject({
    mute: { endsAt: '2026-03-01T13:00:00.000Z', reason: 'Flooding', by: expect.any(String) },
    may: { ban: true, mute: false, unmute: true },
  })
  clock.advance(61 * 60_000)
  expect((await memberOf(ctx, space, other.userId))?.mute).toBeUndefined()
})

test('a ban for a day ends by itself, and undoing a ban restores members with their roles', async () => {
  const { space, userId, moderator } = await channelOf()
  await prisma.role.create({ data: { roleId: 'helper', scope: 'channel', rank: 10 } })
  const clock = clockAt('2026-01-05T12:00:00Z')
  const ctx = as(moderator, { now: clock.now })
  await addDeskRole(ctx, { space, userIds: [userId], role: 'helper' })

  await banDeskMembers(ctx, { space, userIds: [userId], minutes: DAY })
  await restoreDeskMembers(ctx, { space, areBanned: true, members: [{ userId, roles: ['helper', 'of no role'] }] })
  expect(await memberOf(ctx, space, userId)).toMatchObject({ membership: 'member', roles: ['helper'] })

  await removeDeskMembers(ctx, { space, userIds: [userId] })
  expect(await memberOf(ctx, space, userId)).toBeUndefined()
  await restoreDeskMembers(ctx, { space, areBanned: false, members: [{ userId, roles: ['helper'] }] })
  expect(await memberOf(ctx, space, userId)).toMatchObject({ membership: 'member', roles: ['helper'] })

  await banDeskMembers(ctx, { space, userIds: [userId], minutes: DAY })
  clock.advance(DAY * 60_000 - 1)
  expect(await liftEndedBans({ ...systemCtx(database), now: clock.now })).toBe(0)
  clock.advance(1)
  expect(await liftEndedBans({ ...systemCtx(database), now: clock.now })).toBe(1)
  expect(await memberOf(ctx, space, userId)).toBeUndefined()
})

test('undoing the lifting of bans restores the rest of their time, and nothing for bans whose time is over', async () => {
  const { space, channelId, userId, moderator } = await channelOf()
  const short = await make.channelUser({ channelId })
  const clock = clockAt('2026-03-01T12:00:00Z')
  const ctx = as(moderator, { now: clock.now })
  const userIds = [userId, short.userId]
  await banDeskMembers(ctx, { space, userIds, minutes: DAY, reason: 'Rude' })
  await unbanDeskMembers(ctx, { space, userIds })
  const over = '2026-03-01T11:00:00.000Z'
  const members = [
    { userId, endsAt: '2026-03-02T12:00:00.000Z', reason: 'Rude' },
    { userId: short.userId, endsAt: over },
  ]
  await banDeskMembersAgain(ctx, { space, members })
  expect((await memberOf(ctx, space, userId))?.ban).toMatchObject({
    endsAt: '2026-03-02T12:00:00.000Z',
    reason: 'Rude',
  })
  expect(await memberOf(ctx, space, short.userId)).toBeUndefined()
})

test('undoing the end of a mute restores it until its original end by the server’s clock, and not after that', async () => {
  const { space, userId, moderator } = await channelOf()
  const clock = clockAt('2026-03-01T12:00:00Z')
  const ctx = as(moderator, { now: clock.now })
  const mute = { space, userIds: [userId], minutes: null }
  await muteDeskMembers(ctx, { ...mute, endsAt: '2026-03-01T12:30:00.000Z', reason: 'Flooding' })
  expect((await memberOf(ctx, space, userId))?.mute).toMatchObject({ endsAt: '2026-03-01T12:30:00.000Z' })
  await muteDeskMembers(ctx, { ...mute, minutes: 0 })
  await muteDeskMembers(ctx, { ...mute, endsAt: '2026-03-01T12:00:00.000Z' })
  expect((await memberOf(ctx, space, userId))?.mute).toBeUndefined()
})

test('undoing a mute that replaced one whose end has passed leaves the person unmuted', async () => {
  const { space, userId, moderator } = await channelOf()
  const clock = clockAt('2026-03-01T12:00:00Z')
  const ctx = as(moderator, { now: clock.now })
  const mute = { space, userIds: [userId], minutes: null }
  await muteDeskMembers(ctx, { ...mute, minutes: 60 })
  await muteDeskMembers(ctx, { ...mute, endsAt: '2026-03-01T11:59:00.000Z', reason: 'Flooding' })
  expect((await memberOf(ctx, space, userId))?.mute).toBeUndefined()
})

test('support sees every channel and member, is offered no action, and every action is rejected', async () => {
  const { space, channelId, userId } = await channelOf({ isPublic: false })
  const ctx = as(SUPPORT)
  const { may, roles } = await readDeskChannel(ctx, { channelId })
  expect(may).toEqual({ ban: false, mute: false, add: false, remove: false, roles: false, read: true, open: false })
  expect(roles.some(({ mayGrant }) => mayGrant)).toBe(false)
  const { members } = await list(ctx, space)
  expect(members).not.toHaveLength(0)
  for (const member of members) expect(Object.values(member.may)).not.toContain(true)

  const userIds = [userId]
  const acts = [
    () => banDeskMembers(ctx, { space, userIds, minutes: 60 }),
    () => unbanDeskMembers(ctx, { space, userIds }),
    () => muteDeskMembers(ctx, { space, userIds, minutes: 60 }),
    () => removeDeskMembers(ctx, { space, userIds }),
    () => addDeskRole(ctx, { space, userIds, role: 'channel-moderator' }),
    () => findOutsiders(ctx, { space, query: 'any' }),
  ]
  for (const act of acts) expect(await act().catch(failureOf)).toBe('FORBIDDEN')
})

test('a moderator sees only their own channels and communities, and none that are merely public', async () => {
  const own = await channelOf()
  const other = await channelOf()
  const ctx = as(own.moderator)
  const { items } = await listDeskChannels(ctx, DeskChannelsInput.parse({}))
  expect(items.map(({ channelId }) => channelId)).toEqual([own.channelId])
  expect(await readDeskChannel(ctx, other).catch(failureOf)).toBe('FORBIDDEN')
  expect(await list(ctx, other.space).catch(failureOf)).toBe('FORBIDDEN')
  const hidden = await channelOf({ isPublic: false })
  expect(await readDeskChannel(ctx, hidden).catch(failureOf)).toBe('NOT_FOUND')

  const community = await make.community()
  await make.community()
  const reviewer = as(await make.reviewerOf(community.communityId))
  const communities = await listDeskCommunities(reviewer, DeskCommunitiesInput.parse({}))
  expect(communities.items.map(({ communityId }) => communityId)).toEqual([community.communityId])
})

test('offers no action on oneself or on people of one’s own rank, except for the moderator role among its holders', async () => {
  const { space, channelId, moderator, moderatorId } = await channelOf()
  const peer = await make.moderatorOf(channelId)
  const ctx = as(moderator)
  for (const userId of [moderatorId, peer.userId]) {
    const member = await memberOf(ctx, space, userId)
    expect(member?.isBelow).toBe(false)
    const { removeRole, ...others } = member?.may ?? {}
    expect(Object.values(others)).not.toContain(true)
    expect([removeRole, member?.removableRoles]).toEqual([true, ['channel-moderator']])
  }
})

test('finds channels by part of the name, by an id and by its beginning, and filters by kind, tags and mine', async () => {
  const id = `quay-${crypto.randomUUID()}`
  const word = crypto.randomUUID().slice(0, 8)
  await make.channel({ channelId: id, displayName: `The ${word} talk`, type: 'live', tags: [word] })
  const ctx = as(GLOBAL)
  const found = async (over: object) =>
    (await listDeskChannels(ctx, DeskChannelsInput.parse(over))).items.map(({ channelId }) => channelId)
  expect(await found({ search: word.toUpperCase() })).toEqual([id])
  expect(await found({ search: id })).toEqual([id])
  expect(await found({ search: id.slice(0, 12) })).toEqual([id])
  expect(await found({ tags: [word], types: ['live'] })).toEqual([id])
  expect(await found({ tags: [word], types: ['community'] })).toEqual([])
  expect(await found({ tags: [word], isMine: true })).toEqual([])
})

test('finds people to add who are neither members nor banned', async () => {
  const { space, channelId, userId, moderator } = await channelOf()
  const word = `zz${crypto.randomUUID().slice(0, 8)}`
  const [outside, inside, banned] = await Promise.all([1, 2, 3].map((n) => make.user({ displayName: `${word} ${n}` })))
  await make.channelUser({ channelId, userId: inside?.userId ?? '' })
  await make.channelUser({ channelId, userId: banned?.userId ?? '', membership: 'banned' })
  const found = await findOutsiders(as(moderator), { space, query: word })
  expect(found.map((one) => one.userId)).toEqual([outside?.userId])
  expect(found.map((one) => one.userId)).not.toContain(userId)
})

test('bans, restores and mutes members of a community the same way', async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const space = { scope: 'community' as const, communityId }
  const ctx = as(GLOBAL)
  await banDeskMembers(ctx, { space, userIds: [userId], minutes: null, reason: 'Rude' })
  expect(await memberOf(ctx, space, userId)).toMatchObject({ membership: 'banned', ban: { reason: 'Rude' } })
  await restoreDeskMembers(ctx, { space, areBanned: true, members: [{ userId, roles: [] }] })
  expect(await memberOf(ctx, space, userId)).toMatchObject({ membership: 'member', may: { mute: true, ban: true } })
  expect((await list(ctx, space, { filter: 'muted' })).members).toEqual([])
  await muteDeskMembers(ctx, { space, userIds: [userId], minutes: null, reason: 'Loud' })
  const { members } = await list(ctx, space, { filter: 'muted' })
  expect(members).toMatchObject([{ userId, mute: { reason: 'Loud' }, may: { mute: false, unmute: true } }])
  expect(members[0]?.mute?.endsAt).toBeUndefined()
  expect(await countDeskMembers(ctx, MembersInput.parse({ space, filter: 'muted' }))).toMatchObject({ count: 1 })
  expect(await countDeskMembers(ctx, MembersInput.parse({ space }))).toMatchObject({ count: 1, isLowerBound: false })
})

test('a community counts as members those whom its list shows as members, the banned apart', async () => {
  const { communityId } = await make.community()
  const userIds = await Promise.all([1, 2, 3].map(async () => (await make.user()).userId))
  const space = { scope: 'community' as const, communityId }
  const ctx = as(GLOBAL)
  await addMembers(ctx, communitySpace, { spaceId: communityId, userIds })
  await banDeskMembers(ctx, { space, userIds: userIds.slice(0, 1), minutes: null })

  const counted = async (filter: 'all' | 'banned' | 'member&banned') => {
    const input = MembersInput.parse({ space, filter })
    const [{ count }, { members }] = await Promise.all([countDeskMembers(ctx, input), listDeskMembers(ctx, input)])
    return { count, listed: members.length }
  }
  const { community } = await readDeskCommunity(ctx, { communityId })
  expect(community.membersCount).toBe(2)
  expect(await counted('all')).toEqual({ count: 2, listed: 2 })
  expect(await counted('banned')).toEqual({ count: 1, listed: 1 })
  expect(await counted('member&banned')).toEqual({ count: 3, listed: 3 })
})

test('a setting of a community shows who changed it last, and only its editors change it', async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user({ displayName: 'Ada' })
  const ctx = as({ ...GLOBAL, userId, name: 'Ada' } as Actor)
  await setCommunity(ctx, { communityId, setting: 'needApprovalOnCommentCreation', isOn: true })
  const { community, changed } = await readDeskCommunity(ctx, { communityId })
  expect(community.needApprovalOnCommentCreation).toBe(true)
  expect(changed?.by).toBe('Ada')

  const { may } = await readDeskCommunity(as(SUPPORT), { communityId })
  expect(Object.values(may)).not.toContain(true)
  const refused = setCommunity(as(SUPPORT), { communityId, setting: 'isPublic', isOn: false })
  expect(await refused.catch(failureOf)).toBe('FORBIDDEN')
})

test('banning or removing the last moderator of a space says that nobody moderates it, and undo gives it back', async () => {
  const ctx = as(GLOBAL)
  const { space, userId, moderatorId } = await channelOf()
  expect(await banDeskMembers(ctx, { space, userIds: [userId], minutes: DAY })).toEqual({ isWithoutModerator: false })
  const { roles = [] } = (await memberOf(ctx, space, moderatorId)) ?? {}
  const last = { space, userIds: [moderatorId] }
  expect(await removeDeskMembers(ctx, last)).toEqual({ isWithoutModerator: true })
  await restoreDeskMembers(ctx, { space, areBanned: false, members: [{ userId: moderatorId, roles }] })
  expect(await banDeskMembers(ctx, { ...last, minutes: null })).toEqual({ isWithoutModerator: true })
  await restoreDeskMembers(ctx, { space, areBanned: true, members: [{ userId: moderatorId, roles }] })
  expect(await memberOf(ctx, space, moderatorId)).toMatchObject({ membership: 'member', roles })
})
