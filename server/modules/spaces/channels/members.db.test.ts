import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { CHANNEL_PERMISSIONS } from '#server/core/permission-names.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { createConversation } from '#server/modules/spaces/channels/create-channel.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { addMembers } from '#server/modules/spaces/membership/add-members.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/membership/change-roles.ts'
import { joinSpace, leaveSpace } from '#server/modules/spaces/membership/join-space.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { removeMembers } from '#server/modules/spaces/sanctions/remove-members.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'

const { database, prisma, make } = await testDatabase()
const as = (userId: string, over = {}) => ctxOf(database, asUser(userId), { source: 'rest', undoWindowMs: 0, ...over })
const network = (rank: number): Actor =>
  ({ ...asAdmin(['BAN_USER', 'VIEW_CHANNELS', ...CHANNEL_PERMISSIONS]), rank }) as Actor
const admin = (rank = 600) => ctxOf(database, network(rank), { source: 'rest', undoWindowMs: 0 })

interface Wanted {
  channelId: string
  userIds: string[]
}
const spaceIn = ({ channelId, userIds }: Wanted) => ({ spaceId: channelId, userIds })
const banUsers = (ctx: Ctx, wanted: Wanted) => ban(ctx, channelSpace, spaceIn(wanted))
const unbanUsers = (ctx: Ctx, wanted: Wanted) => unban(ctx, channelSpace, spaceIn(wanted))
const addUsers = (ctx: Ctx, wanted: Wanted) => addMembers(ctx, channelSpace, spaceIn(wanted))
const removeUsers = (ctx: Ctx, wanted: Wanted) => removeMembers(ctx, channelSpace, spaceIn(wanted))
const addRole = (ctx: Ctx, { role, ...wanted }: Wanted & { role: string }) =>
  addRoles(ctx, channelSpace, { ...spaceIn(wanted), roles: [role] })
const removeRole = (ctx: Ctx, { role, ...wanted }: Wanted & { role: string }) =>
  removeRoles(ctx, channelSpace, { ...spaceIn(wanted), roles: [role] })
const joinChannel = (ctx: Ctx, { channelId }: { channelId: string }) =>
  joinSpace(ctx, channelSpace, { spaceId: channelId })
const leaveChannel = (ctx: Ctx, { channelId }: { channelId: string }) =>
  leaveSpace(ctx, channelSpace, { spaceId: channelId })

const stateOf = (channelId: string, userId: string) =>
  prisma.channelUser.findUnique({ where: { channelId_userId: { channelId, userId } } })
const actsOn = async (channelId: string, userId: string) =>
  (await prisma.audit.findMany({ where: { channelId, subjectId: userId }, orderBy: { auditId: 'asc' } })).map(
    ({ action }) => action.replace('channelUser.', ''),
  )
const publishedOf = async (channelId: string) =>
  (await prisma.event.findMany({ where: { subjectId: channelId }, orderBy: { eventId: 'asc' } })).map(
    ({ name }) => name,
  )

/** The displayed count equals the count of rows, whatever ran concurrently. */
async function expectCounted(channelId: string): Promise<void> {
  const { channels } = await getChannel(admin(), { channelId })
  expect(channels[0]?.memberCount).toBe(
    await prisma.channelUser.count({ where: { channelId, membership: 'member', isDeleted: false } }),
  )
}

test('a ban ends membership and roles, and leaves its record, one audit row and one event', async () => {
  const { channelId } = await make.channel()
  const moderator = await make.moderatorOf(channelId)
  const { userId } = await make.channelUser({ channelId })

  const { channelUsers } = await banUsers(as(moderator.userId), { channelId, userIds: [userId, userId] })

  expect(channelUsers).toMatchObject([{ userId, membership: 'banned', isBanned: true, roles: [] }])
  expect(await prisma.ban.findMany({ where: { channelId } })).toMatchObject([
    { scope: 'channel', userId, bannedBy: moderator.userId, liftedAt: null },
  ])
  expect(await prisma.audit.findMany({ where: { channelId } })).toMatchObject([
    {
      action: 'channelUser.banned',
      subjectType: 'user',
      subjectId: userId,
      actorId: moderator.userId,
      before: { membership: 'member', roles: [] },
      after: { membership: 'banned', roles: [] },
    },
  ])
  const [event] = await prisma.event.findMany({ where: { subjectId: channelId } })
  expect(event).toMatchObject({
    name: 'channel.didBan',
    isDeskOnly: false,
    state: 'released',
    payload: { channel: [{ channelId }], users: [{ userId }], userIds: [userId], actorId: moderator.userId },
  })
  await expectCounted(channelId)
})

test('a ban and its end answer the channel as it is read then, with its messages, their feeds, people and files', async () => {
  const fileIds = ['of-channel', 'of-writer', 'of-banned', 'of-message']
  await prisma.file.createMany({ data: fileIds.map((fileId) => ({ fileId, type: 'image' as const })) })
  const { channelId } = await make.channel({ avatarFileId: 'of-channel' })
  const moderator = await make.moderatorOf(channelId)
  const writer = await make.user()
  const pinner = await make.user()
  await prisma.user.update({ where: { userId: writer.userId }, data: { avatarFileId: 'of-writer' } })
  const feed = await prisma.messageFeed.create({ data: { messageFeedId: 'feed', channelId, name: 'Some feed' } })
  const last = await make.message({
    channelId,
    userId: writer.userId,
    fileId: 'of-message',
    messageFeedId: feed.messageFeedId,
  })
  const pinned = await make.message({ channelId, userId: writer.userId })
  const named = { messagePreviewId: last.messageId, pinnedMessageId: pinned.messageId, pinnedBy: pinner.userId }
  await prisma.channel.update({ where: { channelId }, data: named })
  const banned = [await make.channelUser({ channelId }), await make.channelUser({ channelId })]
  const userIds = banned.map(({ userId }) => userId)
  await prisma.user.update({ where: { userId: userIds[1] ?? '' }, data: { avatarFileId: 'of-banned' } })

  const outside = ctxOf(database, { ...asAdmin(['BAN_USER']), rank: 600 } as Actor, { source: 'rest', undoWindowMs: 0 })
  for (const ctx of [as(moderator.userId), outside])
    for (const act of [banUsers, unbanUsers])
      expect(await act(ctx, { channelId, userIds })).toEqual(await channelSpace.answer(ctx, channelId, userIds))
  const { files, users, messageFeedsInfo } = await banUsers(as(moderator.userId), { channelId, userIds })
  expect(files.map(({ fileId }) => fileId)).toEqual(fileIds.toSorted())
  expect(users.map(({ userId }) => userId).sort()).toEqual([...userIds, writer.userId, pinner.userId].sort())
  expect(messageFeedsInfo).toMatchObject([{ messageFeedId: 'feed' }])
})

test('banning and unbanning again change nothing and leave no trace', async () => {
  const { channelId } = await make.channel()
  const moderator = as((await make.moderatorOf(channelId)).userId)
  const { userId } = await make.channelUser({ channelId })
  const input = { channelId, userIds: [userId] }

  await unbanUsers(moderator, input)
  expect(await stateOf(channelId, userId)).toMatchObject({ membership: 'member' })
  await banUsers(moderator, input)
  await banUsers(moderator, input)
  await unbanUsers(moderator, input)
  await unbanUsers(moderator, input)

  expect(await actsOn(channelId, userId)).toEqual(['banned', 'unbanned'])
  expect(await publishedOf(channelId)).toEqual(['channel.didBan', 'channel.didUnban'])
  expect(await stateOf(channelId, userId)).toMatchObject({ membership: 'none' })
  expect(await prisma.ban.findMany({ where: { channelId } })).toMatchObject([
    { liftedBy: moderator.actor.kind === 'user' ? moderator.actor.userId : '', liftedAt: expect.any(Date) },
  ])
})

test('bans people who are not members yet; rejects an unknown user, and then bans nobody', async () => {
  const { channelId } = await make.channel()
  const moderator = as((await make.moderatorOf(channelId)).userId)
  const [outsider, member] = [await make.user(), await make.channelUser({ channelId })]

  const { channelUsers } = await banUsers(moderator, { channelId, userIds: [outsider.userId] })
  expect(channelUsers).toMatchObject([{ userId: outsider.userId, membership: 'banned' }])
  expect(await joinChannel(as(outsider.userId), { channelId }).catch(failureOf)).toBe('BANNED')
  await expectCounted(channelId)

  const unknown = await banUsers(moderator, { channelId, userIds: [member.userId, 'nobody-at-all'] }).catch(failureOf)
  expect(unknown).toBe('NOT_FOUND')
  expect(await stateOf(channelId, member.userId)).toMatchObject({ membership: 'member' })
})

test('allows actions on people of strictly lower rank: not on equals, not on higher ones, not on oneself', async () => {
  const { channelId } = await make.channel()
  const [moderator, equal] = [await make.moderatorOf(channelId), await make.moderatorOf(channelId)]
  const staff = await make.channelUser({ channelId, userId: (await make.user({ roles: ['moderator'] })).userId })
  const plain = await make.channelUser({ channelId })
  const role = { scope: 'channel' as const, permissions: ['MUTE_CHANNEL' as const] }
  await prisma.role.createMany({
    data: [
      { ...role, roleId: 'held-by-equals' },
      { ...role, roleId: 'held-by-nobody' },
    ],
  })
  for (const { userId } of [moderator, equal, staff])
    await prisma.channelUser.update({
      where: { channelId_userId: { channelId, userId } },
      data: { roles: { push: 'held-by-equals' } },
    })

  for (const { userId } of [moderator, equal, staff]) {
    const input = { channelId, userIds: [plain.userId, userId] }
    const me = as(moderator.userId)
    expect(await banUsers(me, input).catch(failureOf)).toBe('CANNOT_BAN')
    expect(await unbanUsers(me, input).catch(failureOf)).toBe('FORBIDDEN')
    expect(await removeUsers(me, input).catch(failureOf)).toBe('FORBIDDEN')
    expect(
      await muteUsers(me, channelSpace, { ...input, spaceId: channelId, mutePeriod: 1_000 }).catch(failureOf),
    ).toBe('FORBIDDEN')
    expect(await addRole(me, { ...input, role: 'held-by-nobody' }).catch(failureOf)).toBe('FORBIDDEN')
    expect(await removeRole(me, { ...input, role: 'held-by-equals' }).catch(failureOf)).toBe('FORBIDDEN')
  }
  expect(await stateOf(channelId, plain.userId)).toMatchObject({ membership: 'member', muteTimeout: null, roles: [] })
  expect(await prisma.audit.count({ where: { channelId } })).toBe(0)

  expect(await banUsers(admin(600), { channelId, userIds: [staff.userId] }).catch(failureOf)).toBe('CANNOT_BAN')
  expect(await banUsers(admin(601), { channelId, userIds: [staff.userId, equal.userId] })).toMatchObject({
    channelUsers: [{ isBanned: true }, { isBanned: true }],
  })
  const withBanned = { channelId, userIds: [plain.userId, staff.userId] }
  expect(await banUsers(as(moderator.userId), withBanned).catch(failureOf)).toBe('CANNOT_BAN')
  expect(await stateOf(channelId, plain.userId)).toMatchObject({ membership: 'member' })
})

test('a person who is raised above a moderator after being read is not banned by them', async () => {
  const { channelId } = await make.channel()
  const moderator = await make.moderatorOf(channelId)
  const raises: [(userId: string) => Promise<unknown>, roles?: string[]][] = [
    [(userId) => prisma.user.update({ where: { userId }, data: { roles: ['moderator'] } })],
    [
      (userId) =>
        prisma.channelUser.update({
          where: { channelId_userId: { channelId, userId } },
          data: { roles: ['channel-moderator'] },
        }),
    ],
    [() => prisma.role.update({ where: { roleId: 'low' }, data: { rank: 300 } }), ['low']],
  ]
  await prisma.role.create({ data: { roleId: 'low', scope: 'channel', permissions: [], rank: 1 } })
  for (const [raise, roles = []] of raises) {
    const { userId } = await make.channelUser({ channelId, roles })
    const raisedOnceRead: typeof channelSpace = {
      ...channelSpace,
      find: async (ctx, wanted) => {
        const found = await channelSpace.find(ctx, wanted)
        await raise(userId)
        return found
      },
    }
    const banned = ban(as(moderator.userId), raisedOnceRead, { spaceId: channelId, userIds: [userId] })
    expect(await banned.catch(failureOf)).toBe('CANNOT_BAN')
    expect(await stateOf(channelId, userId)).toMatchObject({ membership: 'member' })
    expect(await actsOn(channelId, userId)).toEqual([])
  }
})

test('without the permission a known channel is FORBIDDEN, and an unknown one NOT_FOUND', async () => {
  const open = await make.channel()
  const closed = await make.channel({ isPublic: false })
  const deleted = await make.channel({ isDeleted: true })
  const { userId } = await make.channelUser({ channelId: open.channelId })
  const elsewhere = await make.moderatorOf((await make.channel()).channelId)
  const banned = await make.channelUser({
    channelId: open.channelId,
    membership: 'banned',
    roles: ['channel-moderator'],
  })

  for (const act of [banUsers, unbanUsers, addUsers, removeUsers]) {
    for (const caller of [userId, elsewhere.userId, banned.userId]) {
      expect(await act(as(caller), { channelId: open.channelId, userIds: [userId] }).catch(failureOf)).toBe('FORBIDDEN')
      expect(await act(as(caller), { channelId: closed.channelId, userIds: [userId] }).catch(failureOf)).toBe(
        'NOT_FOUND',
      )
    }
    expect(await act(admin(), { channelId: deleted.channelId, userIds: [userId] }).catch(failureOf)).toBe('NOT_FOUND')
    const support = ctxOf(database, asAdmin(['VIEW_CHANNELS']))
    expect(await act(support, { channelId: closed.channelId, userIds: [userId] }).catch(failureOf)).toBe('FORBIDDEN')
  }
})

test('a join that started before a ban was committed does not make a member', async () => {
  const { channelId } = await make.channel()
  const moderator = as((await make.moderatorOf(channelId)).userId)
  for (const { userId } of [await make.user(), await make.channelUser({ channelId, membership: 'none' })]) {
    const { joining } = await inTransaction(moderator, async (ctx) => {
      await banUsers(ctx, { channelId, userIds: [userId] })
      const joining = joinChannel(as(userId), { channelId }).catch(failureOf)
      await waitForLockWaiter(database)
      return { joining }
    })
    expect(await joining).toBe('BANNED')
    expect(await stateOf(channelId, userId)).toMatchObject({ membership: 'banned' })
    expect(await actsOn(channelId, userId)).toEqual(['banned'])
  }
})

test('a moderator who is banned at the same moment bans nobody afterwards', async () => {
  const { channelId } = await make.channel()
  for (let round = 0; round < 10; round += 1) {
    const moderator = await make.moderatorOf(channelId)
    const victim = await make.channelUser({ channelId })
    const [, second] = await Promise.allSettled([
      banUsers(admin(), { channelId, userIds: [moderator.userId] }),
      banUsers(as(moderator.userId), { channelId, userIds: [victim.userId] }),
    ])
    const acts = await prisma.audit.findMany({
      where: { channelId, subjectId: { in: [moderator.userId, victim.userId] } },
      orderBy: { auditId: 'asc' },
    })
    // Either the moderator was first, or their ban removed the permission.
    if (second.status === 'fulfilled')
      expect(acts.map(({ subjectId }) => subjectId)).toEqual([victim.userId, moderator.userId])
    else expect([failureOf(second.reason), acts.length]).toEqual(['FORBIDDEN', 1])
  }
})

test('a mute counts until its end, outlasts leaving, and is lifted with 0', async () => {
  const { channelId } = await make.channel()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const moderator = as((await make.moderatorOf(channelId)).userId, { now: clock.now })
  const { userId } = await make.channelUser({ channelId })
  const mine = async () => (await getChannel(as(userId, { now: clock.now }), { channelId })).channelUsers[0]

  await muteUsers(moderator, channelSpace, { spaceId: channelId, userIds: [userId], mutePeriod: 60_000 })
  expect(await mine()).toMatchObject({ isMuted: true, muteTimeout: '2026-01-01T00:01:00.000Z' })
  await leaveChannel(as(userId), { channelId })
  await joinChannel(as(userId), { channelId })
  expect(await mine()).toMatchObject({ isMuted: true, membership: 'member' })
  clock.advance(60_000)
  expect(await mine()).toMatchObject({ isMuted: false })

  await muteUsers(moderator, channelSpace, { spaceId: channelId, userIds: [userId], mutePeriod: 60_000 })
  await muteUsers(moderator, channelSpace, { spaceId: channelId, userIds: [userId], mutePeriod: 0 })
  await muteUsers(moderator, channelSpace, { spaceId: channelId, userIds: [userId], mutePeriod: 0 })
  expect(await mine()).toHaveProperty('muteTimeout', undefined)
  expect(await actsOn(channelId, userId)).toEqual(['muted', 'left', 'joined', 'muted', 'unmuted'])

  const outsider = await make.user()
  const error = await muteUsers(moderator, channelSpace, {
    spaceId: channelId,
    userIds: [userId, outsider.userId],
    mutePeriod: 5,
  }).catch(failureOf)
  expect(error).toBe('NOT_CHANNEL_MEMBER')
})

test('gives a role to members only, no higher than the caller’s, and once', async () => {
  const { channelId } = await make.channel()
  const moderator = as((await make.moderatorOf(channelId)).userId)
  const { userId } = await make.channelUser({ channelId })
  const outsider = await make.user()
  await prisma.role.createMany({
    data: [
      { roleId: 'channel-greeter', rank: 10, scope: 'channel', permissions: ['ADD_CHANNEL_USER'] },
      { roleId: 'channel-odd', rank: 10, scope: 'channel', permissions: ['BAN_USER'] },
    ],
  })
  const give = (role: string, userIds = [userId]) => addRole(moderator, { channelId, userIds, role }).catch(failureOf)

  expect(await give('channel-owner')).toBe('FORBIDDEN')
  expect(await give('channel-odd')).toBe('FORBIDDEN')
  expect(await give('community-moderator')).toBe('FORBIDDEN')
  expect(await give('global-admin')).toBe('FORBIDDEN')
  expect(await give('no-such-role')).toBe('NOT_FOUND')
  expect(await give('channel-greeter', [userId, outsider.userId])).toBe('NOT_CHANNEL_MEMBER')
  await Promise.all([give('channel-greeter'), give('channel-greeter')])
  expect(await stateOf(channelId, userId)).toMatchObject({ roles: ['channel-greeter'] })

  const { channelUsers } = await removeRole(moderator, { channelId, userIds: [userId], role: 'channel-greeter' })
  expect(channelUsers).toMatchObject([{ userId, roles: [], permissions: [] }])
  await removeRole(moderator, { channelId, userIds: [userId], role: 'channel-greeter' })
  expect(await actsOn(channelId, userId)).toEqual(['roleAdded', 'roleRemoved'])
})

test('roles that an import left on someone who is not a member are not restored by joining', async () => {
  const { channelId } = await make.channel()
  const moderator = as((await make.moderatorOf(channelId)).userId)
  const left = { channelId, roles: ['channel-moderator'] }
  const outside = [
    { ...left, membership: 'none' as const },
    { ...left, membership: 'banned' as const },
    { ...left, membership: 'member' as const, isDeleted: true },
  ]
  for (const over of outside) {
    for (const enter of [joinChannel, addUsers]) {
      const { userId } = await make.channelUser(over)
      if (over.membership === 'banned') await unbanUsers(moderator, { channelId, userIds: [userId] })
      await enter(enter === joinChannel ? as(userId) : moderator, { channelId, userIds: [userId] })
      expect(await stateOf(channelId, userId)).toMatchObject({ membership: 'member', isDeleted: false, roles: [] })
    }
  }
  await expectCounted(channelId)
  const again = await make.moderatorOf(channelId)
  await joinChannel(as(again.userId), { channelId })
  expect(await stateOf(channelId, again.userId)).toMatchObject({ roles: ['channel-moderator'] })
})

test('adding rejects the banned, and removing lifts their ban', async () => {
  const { channelId } = await make.channel({ isPublic: false })
  const moderator = as((await make.moderatorOf(channelId)).userId)
  const [banned, fresh] = [await make.channelUser({ channelId }), await make.user()]
  await banUsers(moderator, { channelId, userIds: [banned.userId] })

  const both = { channelId, userIds: [banned.userId, fresh.userId] }
  expect(await addUsers(moderator, both).catch(failureOf)).toBe('BANNED')
  expect(await stateOf(channelId, fresh.userId)).toBeNull()

  await removeUsers(moderator, both)
  expect(await prisma.ban.count({ where: { channelId, liftedAt: null } })).toBe(0)
  const { channelUsers } = await addUsers(moderator, both)
  expect(channelUsers.map(({ membership }) => membership)).toEqual(['member', 'member'])
  await expectCounted(channelId)
})

test('concurrent requests to start a conversation of the same people all get the same one', async () => {
  const [one, two, three] = [await make.user(), await make.user(), await make.user()]
  const begin = (from: string, to: string[]) =>
    createConversation(as(from), { userIds: to, isDistinct: true, tags: [] }).then(
      ({ channels }) => channels[0]?.channelId,
    )

  const ids = await Promise.all([
    begin(one.userId, [two.userId]),
    begin(two.userId, [one.userId]),
    begin(one.userId, [two.userId, one.userId]),
  ])
  expect(new Set(ids).size).toBe(1)
  expect(await begin(one.userId, [two.userId, three.userId])).not.toBe(ids[0])
  expect(await prisma.channel.count({ where: { type: 'conversation' } })).toBe(2)
  expect(await getChannel(as(three.userId), { channelId: ids[0] ?? '' }).catch(failureOf)).toBe('NOT_FOUND')
})

test('every field without a value is left out rather than null', async () => {
  const { channelId } = await make.channel()
  const { userId } = await make.channelUser({ channelId })
  expect(JSON.stringify(await getChannel(as(userId), { channelId }))).not.toContain('null')
})
