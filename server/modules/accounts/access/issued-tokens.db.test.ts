import { describe, expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { createAuthToken } from '#server/modules/accounts/access/auth-token.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { issueAdminToken, issueKey } from '#server/modules/accounts/access/manage-credentials.ts'
import { openSession } from '#server/modules/accounts/access/open-session.ts'
import { takeRole } from '#server/modules/accounts/staff/change-roles.ts'
import { switchStaff } from '#server/modules/accounts/staff/switch-staff.ts'
import { updateUser } from '#server/modules/accounts/users/update-user.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { addRoles } from '#server/modules/spaces/membership/change-roles.ts'
import { actorOfKey, actorOfToken } from '#server/testing/actors.ts'
import { testApi } from '#server/testing/api.ts'
import { ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

const { database, prisma, pool, make } = await testDatabase()
const { call } = await testApi(database)
const system = systemCtx(database)

/** A global admin with an account, and their context at the desk. */
async function admin() {
  const made = await createStaffAccount(database, { name: 'Ada', roleId: 'global-admin' })
  return { ...made, ctx: ctxOf(database, await actorOfStaff(pool, made.userId)) }
}
const colleague = await admin()
const tokenOf = async ({ ctx }: Awaited<ReturnType<typeof admin>>, roleId = 'global-admin') =>
  (await issueAdminToken(ctx, { name: 'Nightly export', roleId, hours: 1 })).secret
const rolesOf = (userId: string, roles: string[]) => prisma.user.update({ where: { userId }, data: { roles } })

describe('an admin token', () => {
  test('creates no new admin once its issuer is demoted, regardless of who requests it at the same moment', async () => {
    const issuer = await admin()
    const token = await tokenOf(issuer)
    const target = await make.user()
    const raise = () => call('PUT', `/api/v3/users/${target.userId}`, { token, body: { roles: ['global-admin'] } })
    await takeRole(colleague.ctx, { staffId: issuer.staffId, roleId: 'global-admin' })
    const answers = await Promise.all([raise(), raise()])
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect(await prisma.user.findUnique({ where: { userId: target.userId } })).toMatchObject({ roles: [] })
  })

  test('grants what its issuer has, however their roles changed', async () => {
    const issuer = await admin()
    const token = await tokenOf(issuer)
    const target = await make.user()
    await rolesOf(issuer.userId, ['support'])
    expect(await actorOfToken(pool, token)).toMatchObject({
      kind: 'admin',
      rank: 400,
      permissions: new Set(['VIEW_CHANNELS', 'VIEW_HISTORY', 'VIEW_USERS']),
    })
    const body = { roles: ['global-admin'] }
    expect((await call('PUT', `/api/v3/users/${target.userId}`, { token, body })).status).toBe(403)
    await rolesOf(issuer.userId, [])
    expect(await actorOfToken(pool, token)).toEqual({ kind: 'nobody' })
  })

  test('keeps a role within what its issuer still has, and ends when the role goes beyond it', async () => {
    const issuer = await admin()
    const [beyond, within] = [await tokenOf(issuer, 'super-moderator'), await tokenOf(issuer, 'support')]
    await updateUser(colleague.ctx, { userId: issuer.userId, roles: ['moderator'] })
    expect(await actorOfToken(pool, beyond)).toEqual({ kind: 'nobody' })
    expect(await actorOfToken(pool, within)).toMatchObject({ kind: 'admin', rank: 400 })
    await updateUser(colleague.ctx, { userId: issuer.userId, roles: ['global-admin'] })
    expect(await actorOfToken(pool, beyond)).toEqual({ kind: 'nobody' })
  })

  test('has no actor while its issuer may not sign in', async () => {
    const ways: ((issuer: { staffId: string; userId: string }) => Promise<unknown>)[] = [
      ({ staffId }) => switchStaff(colleague.ctx, { staffId, isOn: false }),
      ({ staffId }) => prisma.staffAccount.update({ where: { id: staffId }, data: { isDisabled: true } }),
      ({ userId }) => prisma.user.update({ where: { userId }, data: { isGlobalBan: true } }),
      ({ userId }) => prisma.user.update({ where: { userId }, data: { isDeleted: true } }),
    ]
    for (const end of ways) {
      const issuer = await admin()
      const token = await tokenOf(issuer)
      await end(issuer)
      expect(await actorOfToken(pool, token)).toEqual({ kind: 'nobody' })
    }
  })

  test('grants either all of the old role or all of the new one when looked up while its issuer is demoted', async () => {
    const issuer = await admin()
    const token = await tokenOf(issuer)
    const whole = await actorOfToken(pool, token)
    const racing = await inTransaction(colleague.ctx, async (ctx) => {
      await takeRole(ctx, { staffId: issuer.staffId, roleId: 'global-admin' })
      return {
        before: await actorOfToken(pool, token),
        during: Array.from({ length: 20 }, () => actorOfToken(pool, token)),
      }
    })
    expect(racing.before).toEqual(whole)
    for (const found of await Promise.all(racing.during)) expect([whole, { kind: 'nobody' }]).toContainEqual(found)
    expect(await actorOfToken(pool, token)).toEqual({ kind: 'nobody' })
  })

  test('grants nothing when issued by somebody whose demotion was in progress', async () => {
    const issuer = await admin()
    await takeRole(colleague.ctx, { staffId: issuer.staffId, roleId: 'global-admin' })
    // The context belongs to the request that started before.
    expect(await actorOfToken(pool, await tokenOf(issuer))).toEqual({ kind: 'nobody' })
  })

  test('made on the command line has no issuer and keeps its role', async () => {
    const { accessToken } = await createToken(system, { lifetimeMs: 60_000 })
    expect(await actorOfToken(pool, accessToken)).toMatchObject({ kind: 'admin', rank: 1000 })
  })
})

describe('an API key', () => {
  const keyOf = async ({ ctx }: Awaited<ReturnType<typeof admin>>, allows: ('sessions' | 'roles' | 'server')[]) =>
    ctxOf(database, await actorOfKey(pool, (await issueKey(ctx, { name: 'A key', allows })).secret))

  test('vouches for people with a role only while its issuer ranks above them', async () => {
    const issuer = await admin()
    const [server, app] = [await keyOf(issuer, ['server']), await keyOf(issuer, ['sessions'])]
    const { communityId } = await make.community()
    const [lead, plain] = [await make.reviewerOf(communityId), await make.user()]
    const open = async (userId: string) => {
      const authToken = await createAuthToken(server, { userId })
      return openSession(app, { userId, deviceId: 'a phone', authToken, isSecureMode: true })
    }
    for (const { userId } of [lead, plain]) expect(await open(userId)).toMatchObject({ users: [{ userId }] })
    await rolesOf(issuer.userId, [])
    expect(await open(lead.userId).catch(failureOf)).toBe('FORBIDDEN')
    expect(await open(plain.userId)).toMatchObject({ users: [{ userId: plain.userId }] })
  })

  test('that gives roles can be issued only by somebody who may give them, and gives none once its issuer may not', async () => {
    const actor: Actor = {
      kind: 'admin',
      userId: (await make.user()).userId,
      name: 'Keys',
      rank: 150,
      permissions: new Set(['MANAGE_CREDENTIALS']),
    }
    const input = { name: 'A key', allows: ['roles' as const] }
    expect(await issueKey(ctxOf(database, actor), input).catch(failureOf)).toBe('FORBIDDEN')

    const issuer = await admin()
    const key = await keyOf(issuer, ['roles'])
    const { communityId } = await make.community()
    const [one, two] = [await make.user(), await make.user()]
    for (const { userId } of [one, two]) await make.member({ communityId, userId })
    const give = (userId: string) =>
      addRoles(key, communitySpace, { spaceId: communityId, roles: ['community-moderator'], userIds: [userId] })
    expect(await give(one.userId)).toMatchObject({ communityUsers: [{ roles: ['community-moderator'] }] })
    await rolesOf(issuer.userId, ['support'])
    expect(await give(two.userId).catch(failureOf)).toBe('FORBIDDEN')
  })
})
