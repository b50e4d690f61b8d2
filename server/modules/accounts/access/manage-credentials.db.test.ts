import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import {
  endCredential,
  issueAdminToken,
  issueKey,
  readCredentials,
} from '#server/modules/accounts/access/manage-credentials.ts'
import { openSession } from '#server/modules/accounts/access/open-session.ts'
import { actorOfKey, actorOfToken } from '#server/testing/actors.ts'
import { ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, pool, make } = await testDatabase()

const admin = async (
  rank = 1000,
  permissions: Permission[] = ['MANAGE_CREDENTIALS', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'],
) => {
  const { userId } = await make.user({ displayName: 'Ada', roles: ['global-admin'] })
  const actor: Actor = {
    kind: 'admin',
    userId,
    name: 'Ada',
    staffId: randomUUID(),
    rank,
    permissions: new Set(permissions),
  }
  return { userId, ctx: ctxOf(database, actor) }
}
const errorOf = (promise: Promise<unknown>) => promise.catch(({ code }) => code)

test('a key shows who created it and its last use, never its secret; once revoked, it and its sessions are rejected', async () => {
  const { ctx, userId } = await admin()
  const { secret } = await issueKey(ctx, { name: 'Our app', allows: ['sessions'] })
  const key = await actorOfKey(pool, secret)
  const open = (actor: Actor) =>
    openSession(ctxOf(database, actor), { userId: `user-${randomUUID()}`, deviceId: 'a phone', isSecureMode: false })
  const { accessToken } = await open(key)
  const { accessToken: another } = await open(
    await actorOfKey(pool, (await createKey(systemCtx(database), { name: 'Other', allows: ['sessions'] })).apiKey),
  )
  const listed = (await readCredentials(ctx)).keys.find(({ name }) => name === 'Our app')
  expect(listed).toMatchObject({
    madeBy: { userId, name: 'Ada' },
    lastUsedAt: expect.any(String),
    allows: ['sessions'],
  })
  expect(JSON.stringify(await readCredentials(ctx))).not.toContain(secret)

  const input = { kind: 'key', id: listed?.keyId ?? '' } as const
  const ended = await Promise.allSettled([endCredential(ctx, input), endCredential(ctx, input)])
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await actorOfKey(pool, secret)).kind).toBe('nobody')
  expect((await actorOfToken(pool, accessToken)).kind).toBe('nobody')
  expect((await actorOfToken(pool, another)).kind).toBe('user')
  const logged = await prisma.audit.findFirst({ where: { action: 'key.revoked', subjectId: input.id } })
  expect([logged?.actorId, logged?.after]).toEqual([userId, { endedSessions: 1 }])
})

test('an admin token acts with a role no higher than its creator’s, until it expires or is revoked', async () => {
  const { ctx, userId } = await admin(700)
  expect(await errorOf(issueAdminToken(ctx, { name: 'Nightly export', roleId: 'global-admin', hours: 1 }))).toBe(
    'FORBIDDEN',
  )
  expect(await errorOf(issueAdminToken(ctx, { name: 'Nightly export', roleId: 'moderator', hours: 1 }))).toBe(
    'FORBIDDEN',
  )
  expect(await errorOf(issueAdminToken(ctx, { name: 'Nightly export', roleId: 'nothing', hours: 1 }))).toBe('NOT_FOUND')
  expect(await errorOf(issueAdminToken(ctx, { name: 'Nightly export', roleId: 'channel-moderator', hours: 1 }))).toBe(
    'FORBIDDEN',
  )
  const { secret, expiresAt } = await issueAdminToken(ctx, { name: 'Nightly export', roleId: 'support', hours: 2 })
  expect(await actorOfToken(pool, secret)).toMatchObject({ kind: 'admin', rank: 400 })

  const { tokens, grantable } = await readCredentials(ctx)
  expect(grantable).toEqual([{ roleId: 'support', displayName: 'Support' }])
  const token = tokens.find(({ madeBy }) => madeBy?.userId === userId)
  expect(token).toMatchObject({ name: 'Nightly export', roleName: 'Support', expiresAt, hasExpired: false })
  await endCredential(ctx, { kind: 'token', id: token?.tokenId ?? '' })
  expect((await actorOfToken(pool, secret)).kind).toBe('nobody')
})

test('rejects revoking the token of a higher role, or the session of a user this way', async () => {
  const chief = await admin(1000, ['MANAGE_CREDENTIALS', 'BAN_USER'])
  const { userId, ctx } = await admin(300)
  await prisma.role.create({
    data: { roleId: `role-${userId}`, rank: 900, scope: 'network', permissions: ['BAN_USER'] },
  })
  await issueAdminToken(chief.ctx, { name: 'Nightly export', roleId: `role-${userId}`, hours: 1 })
  const token = (await readCredentials(ctx)).tokens.find(({ madeBy }) => madeBy?.userId === chief.userId)
  expect(await errorOf(endCredential(ctx, { kind: 'token', id: token?.tokenId ?? '' }))).toBe('FORBIDDEN')
  const session = await prisma.accessToken.create({
    data: { digest: new Uint8Array([1, 2, 3]), kind: 'user', userId, expiresAt: new Date(Date.now() + 60_000) },
  })
  expect(await errorOf(endCredential(chief.ctx, { kind: 'token', id: session.tokenId }))).toBe('NOT_FOUND')
})

test('without MANAGE_CREDENTIALS nothing is listed, created or revoked', async () => {
  const { ctx } = await admin(1000, ['MANAGE_STAFF'])
  expect(
    await Promise.all(
      [
        () => readCredentials(ctx),
        async () => issueKey(ctx, { name: 'x', allows: ['sessions'] }),
        async () => issueAdminToken(ctx, { name: 'Nightly export', roleId: 'support', hours: 1 }),
        async () => endCredential(ctx, { kind: 'key', id: 'x' }),
      ].map((act) => errorOf(act())),
    ),
  ).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
})

test('offers the roles for a token from the lowest rank up', async () => {
  const role = (displayName: string, rank: number) =>
    prisma.role.create({ data: { roleId: randomUUID(), displayName, rank, scope: 'network' } })
  await role('Highest', 900)
  await role('Lowest', 10)
  const { grantable } = await readCredentials((await admin()).ctx)
  expect(grantable.map(({ displayName }) => displayName)).toEqual(['Lowest', 'Support', 'Highest'])
})
