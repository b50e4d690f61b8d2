import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { changeRole, deleteRole, makeRole, restoreRole } from '#server/modules/accounts/roles/change-roles.ts'
import { readMatrix } from '#server/modules/accounts/roles/read-matrix.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const RIGHTS: Permission[] = ['CREATE_ROLE', 'EDIT_ROLE', 'DELETE_ROLE', 'VIEW_USERS', 'BAN_USER', 'BAN_COMMUNITY_USER']

async function asManager(rank = 800, permissions = RIGHTS) {
  const { userId } = await make.user({ displayName: 'Ada' })
  const actor: Actor = { kind: 'admin', userId, name: 'Ada', rank, permissions: new Set(permissions) }
  return ctxOf(database, actor)
}
const errorOf = (act: () => Promise<unknown>) =>
  Promise.resolve()
    .then(act)
    .catch(({ code }) => code)
const newRole = (over: object = {}) => ({
  roleId: `role-${randomUUID()}`,
  displayName: 'Night shift',
  scope: 'network' as const,
  rank: 300,
  permissions: ['VIEW_USERS'],
  ...over,
})
async function made(ctx: Awaited<ReturnType<typeof asManager>>, over: object = {}) {
  const role = newRole(over)
  await makeRole(ctx, role)
  const found = (await readMatrix(ctx)).roles.find(({ roleId }) => roleId === role.roleId)
  if (found === undefined) throw new Error('the role that was made')
  return found
}

test('creates a role in either spelling of its permissions, and shows who changed it last', async () => {
  const ctx = await asManager()
  const role = await made(ctx, { scope: 'community', permissions: ['BanCommunityUser'] })
  expect(role).toMatchObject({
    permissions: ['BAN_COMMUNITY_USER'],
    changedBy: { name: 'Ada' },
    holders: 0,
    mayChange: true,
    mayDelete: true,
  })
  const logged = await prisma.audit.findFirst({ where: { action: 'role.created', subjectId: role.roleId } })
  expect(logged?.after).toEqual({ displayName: 'Night shift', rank: 300, permissions: ['BAN_COMMUNITY_USER'] })
})

test('rejects creating or changing a role to a rank or permission beyond the caller’s own', async () => {
  const ctx = await asManager()
  for (const over of [{ rank: 800 }, { rank: 900 }, { permissions: ['MANAGE_STAFF'] }])
    expect(await errorOf(() => makeRole(ctx, newRole(over)))).toBe('FORBIDDEN')
  const { roleId, updatedAt, displayName, rank, permissions } = await made(ctx)
  const change = { roleId, updatedAt, displayName, rank, permissions }
  for (const over of [{ rank: 800 }, { permissions: ['MANAGE_CREDENTIALS'] }])
    expect(await errorOf(() => changeRole(ctx, { ...change, ...over }))).toBe('FORBIDDEN')
  expect(await errorOf(() => changeRole(ctx, { ...change, permissions: ['FLY'] }))).toBe('INVALID_PARAMETERS')
  expect(await errorOf(() => makeRole(ctx, newRole({ scope: 'channel', permissions: ['BAN_USER'] })))).toBe(
    'INVALID_PARAMETERS',
  )
})

test('changes and deletes only roles of strictly lower rank, and keeps the built-in ones', async () => {
  const ctx = await asManager()
  const fields = { displayName: 'x', rank: 1, permissions: [], updatedAt: new Date().toISOString() }
  for (const roleId of ['global-admin', 'super-moderator']) {
    expect(await errorOf(() => changeRole(ctx, { ...fields, roleId }))).toBe('FORBIDDEN')
    expect(await errorOf(() => deleteRole(ctx, { roleId }))).toBe('FORBIDDEN')
  }
  expect(await errorOf(() => deleteRole(ctx, { roleId: 'support' }))).toBe('FORBIDDEN')
  expect(await errorOf(() => changeRole(ctx, { ...fields, roleId: 'nothing' }))).toBe('NOT_FOUND')
})

test('rejects the second of two changes to the same role', async () => {
  const ctx = await asManager()
  const { roleId, updatedAt } = await made(ctx)
  const change = (rank: number) => changeRole(ctx, { roleId, updatedAt, displayName: 'x', rank, permissions: [] })
  const both = await Promise.allSettled([change(1), change(2)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await errorOf(() => change(3))).toBe('CHANGED')
})

test('changes to a role’s grants take effect immediately, also its deletion; restoring it restores its grants', async () => {
  const ctx = await asManager()
  const { roleId } = await made(ctx, { permissions: ['BAN_USER'] })
  const { userId } = await make.user({ roles: [roleId] })
  const granted = async () => {
    const [row] = await prisma.$queryRaw<{ granted: string[] }[]>`
      select role_permissions(roles) as granted from network_user where user_id = ${userId}`
    return row?.granted
  }
  expect(await granted()).toEqual(['BAN_USER'])
  await deleteRole(ctx, { roleId })
  expect(await granted()).toEqual([])
  expect(await errorOf(() => makeRole(ctx, newRole({ roleId })))).toBe('ALREADY_EXISTS')
  expect(await errorOf(() => deleteRole(ctx, { roleId }))).toBe('NOT_FOUND')
  const lesser = { ...ctx, actor: { ...ctx.actor, permissions: new Set(['DELETE_ROLE']) } as Actor }
  expect(await errorOf(() => restoreRole(lesser, { roleId }))).toBe('FORBIDDEN')
  await restoreRole(ctx, { roleId })
  expect(await granted()).toEqual(['BAN_USER'])
  expect((await readMatrix(ctx)).roles.find((role) => role.roleId === roleId)?.holders).toBe(1)
})

test('keeps a former permission that no scope knows when the role changes', async () => {
  const ctx = await asManager()
  const { roleId, updatedAt } = await made(ctx)
  await prisma.role.update({ where: { roleId }, data: { permissions: ['VIEW_USERS', 'OLD_ONE'] } })
  await changeRole(ctx, { roleId, updatedAt, displayName: 'x', rank: 2, permissions: ['BAN_USER'] })
  expect((await prisma.role.findUniqueOrThrow({ where: { roleId } })).permissions).toEqual(['BAN_USER', 'OLD_ONE'])
})

test('each action needs its own permission', async () => {
  const ctx = await asManager(800, ['VIEW_USERS'])
  expect(await errorOf(() => readMatrix(ctx))).toBe('FORBIDDEN')
  expect(await errorOf(() => makeRole(ctx, newRole()))).toBe('FORBIDDEN')
  expect(await errorOf(() => deleteRole(ctx, { roleId: 'x' }))).toBe('FORBIDDEN')
  const fields = { roleId: 'x', displayName: 'x', rank: 1, permissions: [], updatedAt: new Date().toISOString() }
  expect(await errorOf(() => changeRole(ctx, fields))).toBe('FORBIDDEN')
})
