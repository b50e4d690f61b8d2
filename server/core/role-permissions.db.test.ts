import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { query, type Sql, sql } from '#server/core/db.ts'
import { COMMUNITY_PERMISSIONS } from '#server/core/permission-names.ts'
import {
  eachOnce,
  grants,
  networkPermissionsOf,
  networkRankOf,
  permissionsOf,
  roleRankOf,
} from '#server/core/role-permissions.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const ctx = systemCtx(database)

/** The subqueries and the functions of the database say the same of every set of up to three roles, deleted and unknown ones included. */
test('what roles grant is the same as a subquery and as a function of the database', async () => {
  const { roleId } = await database.prisma.role.findFirstOrThrow({ where: { roleId: 'community-moderator' } })
  const stored = await database.prisma.role.findUniqueOrThrow({ where: { roleId } })
  await database.prisma.role.create({ data: { ...stored, roleId: `deleted-${randomUUID()}`, isDeleted: true } })

  const held = sql`held.roles`
  const pairs: [Sql, Sql][] = [
    [inOrder(permissionsOf(held)), sql`role_permissions(held.roles)`],
    [inOrder(networkPermissionsOf(held)), sql`network_role_permissions(held.roles)`],
    [networkRankOf(held), sql`network_role_rank(held.roles)`],
    [roleRankOf(held), sql`role_rank(held.roles)`],
    ...COMMUNITY_PERMISSIONS.map((one): [Sql, Sql] => [
      grants(held, one),
      sql`${one} = any(role_permissions(held.roles))`,
    ]),
  ]
  const differs = pairs.map(([subquery, call]) => sql`(${subquery}) is distinct from (${call})`)
  const sets = sql`
    with id as (select role_id from role union all select 'unknown'),
    held as (
      select '{}'::text[] as roles
      union all select array[a.role_id] from id a
      union all select array[a.role_id, b.role_id] from id a, id b
      union all select array[a.role_id, b.role_id, c.role_id] from id a, id b, id c)`
  const [counted] = await query<{ sets: string }>(ctx, sql`${sets} select count(*) as sets from held`)
  expect(Number(counted?.sets)).toBeGreaterThan(500)
  expect(await query(ctx, sql`${sets} select roles from held where ${sql.join(differs, ' or ')}`)).toEqual([])
})

test('permissions of several roles are listed once, in order', () => {
  expect(eachOnce(['MUTE_CHANNEL', 'BAN_USER', 'MUTE_CHANNEL'])).toEqual(['BAN_USER', 'MUTE_CHANNEL'])
})

function inOrder(permissions: Sql): Sql {
  return sql`array(select distinct unnest(${permissions}) order by 1)`
}
