import { describe, expect, test } from 'vitest'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'
import { importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/membership/change-roles.ts'
import { testApi } from '#server/testing/api.ts'
import { asUser, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call } = await testApi(database)
const as = (userId: string) => ctxOf(database, asUser(userId))
const OUTCOMES = async (acts: Promise<unknown>[]) =>
  (await Promise.allSettled(acts))
    .map((result) => (result.status === 'fulfilled' ? 'done' : failureOf(result.reason)))
    .sort()

/** A space of each kind, and the actions on its moderator role. */
const KINDS = {
  community: async () => {
    const { communityId } = await make.community()
    const role = 'community-moderator'
    return {
      role,
      join: async (userId: string, roles: string[]) => void (await make.member({ communityId, userId, roles })),
      give: (by: string, userId: string, wanted = role) =>
        addRoles(as(by), communitySpace, { spaceId: communityId, roles: [wanted], userIds: [userId] }),
      take: (by: string, userId: string, wanted = role) =>
        removeRoles(as(by), communitySpace, { spaceId: communityId, roles: [wanted], userIds: [userId] }),
      moderators: () =>
        prisma.communityUser.findMany({ where: { communityId, roles: { has: role }, membership: 'member' } }),
      audits: () => prisma.audit.count({ where: { communityId } }),
    }
  },
  channel: async () => {
    const { channelId } = await make.channel()
    const role = 'channel-moderator'
    return {
      role,
      join: async (userId: string, roles: string[]) => void (await make.channelUser({ channelId, userId, roles })),
      give: (by: string, userId: string, wanted = role) =>
        addRoles(as(by), channelSpace, { spaceId: channelId, roles: [wanted], userIds: [userId] }),
      take: (by: string, userId: string, wanted = role) =>
        removeRoles(as(by), channelSpace, { spaceId: channelId, roles: [wanted], userIds: [userId] }),
      moderators: () =>
        prisma.channelUser.findMany({ where: { channelId, roles: { has: role }, membership: 'member' } }),
      audits: () => prisma.audit.count({ where: { channelId } }),
    }
  },
}
await prisma.role.createMany({
  data: [
    { roleId: 'community-helper', scope: 'community', rank: 10, permissions: ['EDIT_COMMUNITY'] },
    { roleId: 'channel-helper', scope: 'channel', rank: 10, permissions: ['MUTE_CHANNEL'] },
  ],
})

describe.each(['community', 'channel'] as const)('the moderators of one %s', (kind) => {
  async function space(count: number) {
    const here = await KINDS[kind]()
    const people = await Promise.all(Array.from({ length: count }, () => make.user()))
    const ids = people.map(({ userId }) => userId)
    for (const id of ids) await here.join(id, [here.role])
    return { ...here, ids: [ids[0] ?? '', ids[1] ?? '', ids[2] ?? ''] as const }
  }
  const idsOf = (moderators: { userId: string }[]) => moderators.map(({ userId }) => userId)

  test('take the role from each other and give it back, regardless of who appointed them', async () => {
    const { ids, give, take, moderators } = await space(2)
    const [one, two] = ids
    await take(one, two)
    expect(idsOf(await moderators())).toEqual([one])
    await give(one, two)
    await take(two, one)
    expect(idsOf(await moderators())).toEqual([two])
  })

  test('keep one moderator where two take the role from each other at once', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { ids, take, moderators } = await space(2)
      const [one, two] = ids
      expect(await OUTCOMES([take(one, two), take(two, one)])).toEqual(['FORBIDDEN', 'done'])
      expect(await moderators()).toHaveLength(1)
    }
  })

  test('keep one moderator where all resign at once', async () => {
    const { ids, take, moderators } = await space(3)
    expect(await OUTCOMES(ids.map((id) => take(id, id)))).toEqual(['FORBIDDEN', 'done', 'done'])
    const [last] = idsOf(await moderators())
    expect(await take(last ?? '', last ?? '').catch(failureOf)).toBe('FORBIDDEN')
    expect(await moderators()).toHaveLength(1)
  })

  test('take nothing from an owner, from anyone who ranks higher in the network, or as moderators of another space', async () => {
    const { ids, join, take, moderators, role, audits } = await space(1)
    const [one] = ids
    const [owner, staff] = [await make.user(), await make.user({ roles: ['support'] })]
    await join(owner.userId, [role, `${kind}-owner`])
    await join(staff.userId, [role])
    const stranger = (await space(1)).ids[0]
    for (const { userId } of [owner, staff]) expect(await take(one, userId).catch(failureOf)).toBe('FORBIDDEN')
    expect(await take(stranger, one).catch(failureOf)).toBe('FORBIDDEN')
    expect(await moderators()).toHaveLength(3)
    expect(await audits()).toBe(0)
  })

  test('manage only that one role among themselves', async () => {
    const { ids, give, take, join, role } = await space(1)
    const [one] = ids
    const peer = await make.user()
    await join(peer.userId, [role, `${kind}-helper`])
    expect(await take(one, peer.userId, `${kind}-helper`).catch(failureOf)).toBe('FORBIDDEN')
    expect(await give(one, one, `${kind}-helper`).catch(failureOf)).toBe('FORBIDDEN')
    const helper = await make.user()
    await join(helper.userId, [])
    await give(one, helper.userId, `${kind}-helper`)
    await take(one, helper.userId, `${kind}-helper`)
  })

  test('may retry after a lost response: giving and taking twice is done once', async () => {
    const { ids, give, take, join, audits } = await space(1)
    const [one] = ids
    const { userId } = await make.user()
    await join(userId, [])
    for (const act of [give, take]) {
      const before = await audits()
      const [first, again] = [await act(one, userId), await act(one, userId)]
      expect(again).toEqual(first)
      expect((await audits()) - before).toBe(1)
    }
  })
})

test('moderators that an import made are peers of each other', async () => {
  const id = crypto.randomUUID()
  const [one, two] = [`one-${id}`, `two-${id}`]
  const role = ['community-moderator']
  const report = await importRecords(systemCtx(database), [
    { type: 'community', communityId: id },
    { type: 'user', userId: one },
    { type: 'user', userId: two },
    { type: 'communityUser', communityId: id, userId: one, communityMembership: 'member', roles: role },
    { type: 'communityUser', communityId: id, userId: two, communityMembership: 'member', roles: role },
  ])
  expect(report.refused).toBe(0)
  expect(await removeRoles(as(one), communitySpace, { spaceId: id, roles: role, userIds: [two] })).toMatchObject({
    communityUsers: [{ userId: two, roles: [] }],
  })
})

describe('endpoint 3 with an API key', () => {
  const keyOf = async (allows: KeyAllows[]) => (await createKey(systemCtx(database), { name: 'An app', allows })).apiKey

  test('gives the same answer again, also to two concurrent requests', async () => {
    const { communityId } = await make.community()
    const { userId } = await make.user()
    await make.member({ communityId, userId })
    const headers = { 'x-api-key': await keyOf(['roles']) }
    const give = (role: string) =>
      call('POST', `/api/v3/communities/${communityId}/users/roles`, { headers, body: { role, userIds: [userId] } })

    const [first, second] = await Promise.all([give('community-moderator'), give('community-moderator')])
    const third = await give('community-moderator')
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
    expect([second.body, third.body]).toEqual([first.body, first.body])
    expect(await prisma.audit.count({ where: { communityId, action: 'community.rolesChanged' } })).toBe(1)
    expect(await prisma.event.count({ where: { communityId, name: 'v3.community.didRoleChange' } })).toBe(1)
  })

  test('gives a moderator another community role, and gives an owner none', async () => {
    const { communityId } = await make.community()
    const [lead, owner] = [await make.user(), await make.user()]
    await make.member({ communityId, userId: lead.userId, roles: ['community-moderator'] })
    await make.member({ communityId, userId: owner.userId, roles: ['community-moderator', 'community-owner'] })
    const headers = { 'x-api-key': await keyOf(['roles']) }
    const give = (userId: string, role: string) =>
      call('POST', `/api/v3/communities/${communityId}/users/roles`, { headers, body: { role, userIds: [userId] } })

    for (const _ of [1, 2]) {
      const { status, body } = await give(lead.userId, 'community-helper')
      expect([status, body.communityUsers]).toMatchObject([
        200,
        [{ roles: ['community-moderator', 'community-helper'] }],
      ])
    }
    expect((await give(owner.userId, 'community-helper')).status).toBe(403)
    for (const role of ['community-owner', 'channel-helper', 'support'])
      expect((await give(lead.userId, role)).status).toBe(403)
  })
})
