import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { endSessionsOf } from '#server/modules/accounts/access/end-sessions.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { acceptInvite } from '#server/modules/accounts/staff/accept-invite.ts'
import { giveRole } from '#server/modules/accounts/staff/change-roles.ts'
import { endColleagueSessions } from '#server/modules/accounts/staff/end-staff-sessions.ts'
import { readColleague } from '#server/modules/accounts/staff/list-staff.ts'
import { makeLink } from '#server/modules/accounts/staff/make-link.ts'
import { resetSecondFactor } from '#server/modules/accounts/staff/second-factor.ts'
import { switchStaff } from '#server/modules/accounts/staff/switch-staff.ts'
import { updateUser } from '#server/modules/accounts/users/update-user.ts'
import { erasePerson } from '#server/modules/people/erase-person.ts'
import { readPerson } from '#server/modules/people/read-person.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { ban } from '#server/modules/spaces/sanctions/ban.ts'
import { banEverywhere, unbanEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import { ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

const { database, make } = await testDatabase()

const ALL: Permission[] = [
  'MANAGE_STAFF',
  'BAN_USER',
  'EDIT_USER',
  'ASSIGN_USER_ROLE',
  'MANAGE_CREDENTIALS',
  'VIEW_USERS',
]
/** Somebody signed in to the desk with a network role of this rank. */
const managerOf = async (rank: number): Promise<Ctx> => {
  const { userId } = await make.user()
  const actor: Actor = {
    kind: 'admin',
    userId,
    name: 'Manager',
    staffId: randomUUID(),
    rank,
    permissions: new Set(ALL),
  }
  return ctxOf(database, actor)
}
const account = (over: { communityId?: string; roleId?: string }) =>
  createStaffAccount(database, { roleId: 'community-moderator', ...over })

describe('a caller who ranks below a role that somebody holds in one community', () => {
  type Person = Awaited<ReturnType<typeof account>>
  const acts: [string, string, (ctx: Ctx, person: Person) => Promise<unknown>][] = [
    ['makes no password link', 'FORBIDDEN', (ctx, { staffId }) => makeLink(ctx, { staffId })],
    ['does not switch them off', 'FORBIDDEN', (ctx, { staffId }) => switchStaff(ctx, { staffId, isOn: false })],
    ['does not end their sessions', 'FORBIDDEN', (ctx, { staffId }) => endColleagueSessions(ctx, { staffId })],
    ['does not reset their second factor', 'FORBIDDEN', (ctx, { staffId }) => resetSecondFactor(ctx, { staffId })],
    ['gives them no role', 'FORBIDDEN', (ctx, { staffId }) => giveRole(ctx, { staffId, roleId: 'support' })],
    ['does not ban them everywhere', 'CANNOT_BAN', (ctx, { userId }) => banEverywhere(ctx, { userId })],
    ['does not lift their ban', 'FORBIDDEN', (ctx, { userId }) => unbanEverywhere(ctx, { userId })],
    ['does not erase them', 'FORBIDDEN', (ctx, { userId }) => erasePerson(ctx, { userId, confirmation: userId })],
    ['does not rewrite their profile', 'FORBIDDEN', (ctx, { userId }) => updateUser(ctx, { userId, displayName: 'x' })],
    ['does not end their tokens', 'FORBIDDEN', (ctx, { userId }) => endSessionsOf(ctx, { userId })],
  ]
  test.each(acts)('%s', async (_, failure, act) => {
    const { communityId } = await make.community({ isPublic: false })
    const person = await account({ communityId })
    for (const rank of [150, 200])
      expect([rank, await act(await managerOf(rank), person).catch(failureOf)]).toEqual([rank, failure])
  })

  test('is offered none of these actions', async () => {
    const { communityId } = await make.community()
    const { staffId, userId } = await account({ communityId })
    for (const [rank, isAbove] of [
      [200, false],
      [201, true],
    ] as const) {
      const ctx = await managerOf(rank)
      expect((await readColleague(ctx, { staffId })).mayChange).toBe(isAbove)
      expect((await readPerson(ctx, { userId })).allowed).toMatchObject({ ban: isAbove, erase: isAbove })
    }
  })
})

test('counts a role held in a channel as well, but not one that ended', async () => {
  const { channelId } = await make.channel()
  const { userId } = await make.moderatorOf(channelId)
  expect(await banEverywhere(await managerOf(100), { userId }).catch(failureOf)).toBe('CANNOT_BAN')
  await database.prisma.channelUser.update({
    where: { channelId_userId: { channelId, userId } },
    data: { membership: 'none' },
  })
  expect(await banEverywhere(await managerOf(100), { userId })).toMatchObject({ users: [{ isGlobalBan: true }] })
})

test('counts roles in that community and in the network for an action there, not those of other communities', async () => {
  const [here, there] = [await make.community(), await make.community()]
  const { userId } = await make.reviewerOf(there.communityId)
  await make.member({ communityId: here.communityId, userId })
  const manager = await managerOf(150)
  expect(await ban(manager, communitySpace, { spaceId: there.communityId, userIds: [userId] }).catch(failureOf)).toBe(
    'CANNOT_BAN',
  )
  expect(
    (await ban(manager, communitySpace, { spaceId: here.communityId, userIds: [userId] })).communityUsers,
  ).toMatchObject([{ isBanned: true }])
})

test('counts the new rank for an action that waited for a promotion of its target', async () => {
  const { communityId } = await make.community()
  const { staffId, userId } = await account({ communityId })
  const manager = await managerOf(500)
  const acts = {
    makeLink: () => makeLink(manager, { staffId }),
    banEverywhere: () => banEverywhere(manager, { userId }),
    erasePerson: () => erasePerson(manager, { userId, confirmation: userId }),
    updateUser: () => updateUser(manager, { userId, displayName: 'x' }),
    endSessionsOf: () => endSessionsOf(manager, { userId }),
  }
  for (const [name, act] of Object.entries(acts)) {
    await database.prisma.user.update({ where: { userId }, data: { roles: [] } })
    const racing = await inTransaction(systemCtx(database), async (ctx) => {
      await execute(ctx, sql`update network_user set roles = '{moderator}' where user_id = ${userId}`)
      const result = act().catch(failureOf)
      await waitForLockWaiter(database)
      return { result }
    })
    expect([name, await racing.result]).toEqual([name, name === 'banEverywhere' ? 'CANNOT_BAN' : 'FORBIDDEN'])
  }
})

test('a password link stops working once its creator no longer ranks above its recipient', async () => {
  const { communityId } = await make.community()
  const roleId = `manager-${randomUUID()}`
  await database.prisma.role.create({ data: { roleId, scope: 'network', rank: 500, permissions: ALL } })
  const maker = await account({ roleId })
  const ctx = ctxOf(database, await actorOfStaff(database.pool, maker.userId))
  const linkTo = async () => {
    const person = await account({ communityId })
    const { token } = await makeLink(ctx, person)
    return { ...person, token, open: () => acceptInvite(systemCtx(database), { token, password: 'another-password' }) }
  }
  const [promoted, demoting, kept] = [await linkTo(), await linkTo(), await linkTo()]
  expect(await kept.open()).toMatchObject({ email: expect.any(String) })
  await database.prisma.user.update({ where: { userId: promoted.userId }, data: { roles: ['moderator'] } })
  expect(await promoted.open().catch(failureOf)).toBe('NOT_FOUND')
  await database.prisma.user.update({ where: { userId: maker.userId }, data: { roles: [] } })
  expect(await demoting.open().catch(failureOf)).toBe('NOT_FOUND')
})
