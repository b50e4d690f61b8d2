import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { CHANNEL_PERMISSIONS } from '#server/core/permission-names.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { assertNewRoleFits } from '#server/modules/accounts/access/open-id-connect.ts'
import { inviteStaff } from '#server/modules/accounts/staff/invite.ts'
import { updateUser } from '#server/modules/accounts/users/update-user.ts'
import { importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, pool, make } = await testDatabase()
const system = systemCtx(database)
const errorOf = (error: unknown) => (error instanceof DomainError ? [error.code, error.details] : error)
const account = (roleId: string) => ({ email: `${randomUUID()}@docket.example`, name: 'Some one', roleId })
const boss: Actor = {
  kind: 'admin',
  userId: 'boss',
  name: 'Boss',
  staffId: 'boss',
  rank: 1000,
  permissions: new Set(['MANAGE_STAFF', 'ASSIGN_USER_ROLE', 'EDIT_USER', ...CHANNEL_PERMISSIONS]),
}
const desk = ctxOf(database, boss)

/** A user who holds roles network-wide that the database now rejects, as was possible before. */
async function misplaced(roles: string[]): Promise<string> {
  const { userId } = await make.user()
  const client = await pool.connect()
  try {
    await client.query(`begin; set local session_replication_role = replica`)
    await client.query('update network_user set roles = $2 where user_id = $1', [userId, roles])
    await client.query('commit')
  } finally {
    client.release()
  }
  return userId
}

describe('an account with a role of a channel', () => {
  test('is not created without the channel, by command or by invitation', async () => {
    const refused = ['INVALID_PARAMETERS', { detail: ['channel-moderator needs a channel'] }]
    expect(await createStaff(system, account('channel-moderator')).catch(errorOf)).toEqual(refused)
    expect(await inviteStaff(desk, account('channel-moderator')).catch(errorOf)).toEqual(refused)
    const { communityId } = await make.community()
    expect(await createStaff(system, { ...account('channel-moderator'), communityId }).catch(errorOf)).toEqual(refused)
    expect(await createStaff(system, account('community-moderator')).catch(errorOf)).toEqual([
      'INVALID_PARAMETERS',
      { detail: ['community-moderator needs a community'] },
    ])
  })

  test('moderates that channel and sees no other private one', async () => {
    const [own, other] = [await make.channel({ isPublic: false }), await make.channel({ isPublic: false })]
    const { userId } = await createStaff(system, { ...account('channel-moderator'), channelId: own.channelId })
    const actor = await actorOfStaff(pool, userId)
    expect(actor.kind).toBe('user')
    expect(await getChannel(ctxOf(database, actor), own)).toMatchObject({ channels: [{ channelId: own.channelId }] })
    expect(await getChannel(ctxOf(database, actor), other).catch(errorOf)).toEqual(['NOT_FOUND', undefined])
    expect(await prisma.tallyDelta.findMany({ where: { subjectId: own.channelId } })).toMatchObject([{ delta: 1 }])
  })

  test('is not created for a channel that does not exist, nor with a network role there', async () => {
    const unknown = await createStaff(system, { ...account('channel-moderator'), channelId: 'none' }).catch(errorOf)
    expect(unknown).toEqual(['INVALID_PARAMETERS', { detail: ['there is no channel none'] }])
    const { channelId } = await make.channel()
    expect(await createStaff(system, { ...account('support'), channelId }).catch(errorOf)).toEqual([
      'INVALID_PARAMETERS',
      { detail: ['support is not a channel role'] },
    ])
  })
})

test('an account with a role of a community is counted among its members and moderators once', async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const given = { ...account('community-moderator'), communityId, userId }
  await createStaff(system, given)
  const counted = await prisma.tallyDelta.findMany({ where: { subjectId: communityId }, orderBy: { kind: 'asc' } })
  expect(counted.map(({ kind, delta }) => [kind, delta])).toEqual([
    ['community_members', 1],
    ['community_moderators', 1],
  ])
})

describe('a role of a space held network-wide', () => {
  test('is rejected over REST and at the desk, with a message', async () => {
    const { userId } = await make.user()
    for (const [role, space] of [
      ['channel-moderator', 'channel'],
      ['community-moderator', 'community'],
    ] as const) {
      expect(await updateUser(desk, { userId, roles: [role] }).catch(errorOf)).toEqual([
        'FORBIDDEN',
        { detail: [`${role} needs a ${space}`] },
      ])
    }
  })

  test('is rejected by the database for every writer; one without grants is only a label', async () => {
    const { userId } = await make.user()
    for (const roles of [['channel-moderator'], ['support', 'community-owner']]) {
      await expect(
        pool.query('update network_user set roles = $2 where user_id = $1', [userId, roles]),
      ).rejects.toMatchObject({
        code: '23514',
        constraint: 'network_user_roles_need_no_space',
      })
      await expect(make.user({ roles })).rejects.toThrow()
    }
    await prisma.role.create({ data: { roleId: 'a-label', scope: 'community' } })
    expect(await make.user({ roles: ['a-label', 'support'] })).toMatchObject({ roles: ['a-label', 'support'] })
  })

  test('grants nothing and has no rank if one exists all the same', async () => {
    const userId = await misplaced(['channel-moderator', 'community-owner'])
    await prisma.staffAccount.create({
      data: { id: userId, name: 'x', email: `${userId}@x.example`, networkUserId: userId },
    })
    expect(await actorOfStaff(pool, userId)).toMatchObject({ kind: 'user' })
    const ranks = await pool.query('select network_role_rank(roles) as rank from network_user where user_id = $1', [
      userId,
    ])
    expect(ranks.rows).toEqual([{ rank: 0 }])
  })
})

test('an import rejects a user with a role of a space, wherever in the file the role is, and imports the rest', async () => {
  const id = randomUUID()
  const report = await importRecords(system, [
    { type: 'user', userId: `bad-${id}`, roles: [`role-${id}`] },
    { type: 'user', userId: `good-${id}`, roles: ['support'] },
    { type: 'user', userId: `seeded-${id}`, roles: ['channel-moderator'] },
    { type: 'role', roleId: `role-${id}`, permissions: ['ReviewCommunityComment'] },
  ])
  expect(report.errors).toMatchObject([
    { line: 1, reason: `roles: role-${id} needs a community` },
    { line: 3, reason: 'roles: channel-moderator needs a channel' },
  ])
  const found = await prisma.user.findMany({ where: { userId: { endsWith: id } }, select: { userId: true } })
  expect(found).toEqual([{ userId: `good-${id}` }])
})

test('the start fails where the organisation’s sign-in would give new people a role of a space', async () => {
  const openId = { issuer: 'https://id.example', clientId: 'x', clientSecret: 'x', name: 'x' }
  await expect(assertNewRoleFits(system, { ...openId, newRole: 'channel-moderator' })).rejects.toThrow(
    'OIDC_NEW_ROLE: channel-moderator needs a channel; use a network role',
  )
  for (const newRole of ['support', undefined]) await assertNewRoleFits(system, { ...openId, newRole })
})
