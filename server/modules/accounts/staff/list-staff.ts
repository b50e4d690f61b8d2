import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { grantableBy } from '#server/modules/accounts/roles/grantable-by.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { assertStaffManager } from '#server/modules/accounts/staff/lock-colleague.ts'
import type { StaffFacts, StaffInput, StaffList } from '#server/modules/accounts/staff/schema.ts'

/** Every account, by name, and the roles that the caller may give. There are few: no index. Needs MANAGE_STAFF. */
export async function listStaff(ctx: Ctx): Promise<StaffList> {
  assertStaffManager(ctx)
  const [staff, grantable] = await Promise.all([readStaff(ctx, sql`true`), grantableBy(ctx)])
  return { staff, grantable }
}

/** One account. NOT_FOUND for an unknown one. Needs MANAGE_STAFF. */
export async function readColleague(ctx: Ctx, { staffId }: StaffInput): Promise<StaffFacts> {
  assertStaffManager(ctx)
  const [colleague] = await readStaff(ctx, sql`a.id = ${staffId}`)
  if (colleague === undefined) throw new DomainError('NOT_FOUND')
  return colleague
}

interface StaffRow extends Omit<StaffFacts, 'lastSeenAt' | 'linkExpiresAt' | 'isSelf' | 'mayChange'> {
  lastSeenAt: Date | null
  linkExpiresAt: Date | null
  isOutranked: boolean
}

async function readStaff(ctx: Ctx, which: Sql): Promise<StaffFacts[]> {
  const rows = await query<StaffRow>(
    ctx,
    sql`
    select a.id as "staffId", a.network_user_id as "userId", a.name, a.email, a.last_seen_at as "lastSeenAt",
      case when a.is_disabled then 'off' when u.is_global_ban or u.is_deleted then 'banned'
        when not exists (select from staff_login l where l.staff_account_id = a.id) then 'invited' else 'active' end as state,
      a.two_factor_enabled as "hasSecondFactor",
      (select count(*)::int from staff_passkey p where p.staff_account_id = a.id) as passkeys,
      (select count(*)::int from staff_session s where s.staff_account_id = a.id and s.expires_at > ${ctx.now()}) as sessions,
      (select l.expires_at from staff_link l where l.staff_account_id = a.id and l.expires_at > ${ctx.now()}) as "linkExpiresAt",
      ${outranks(ctx, sql`u.user_id`, 'network')} as "isOutranked",
      coalesce((
        select jsonb_agg(jsonb_build_object('roleId', role_id, 'displayName', display_name, 'scope', scope, 'spaces', spaces)
          order by rank desc, role_id)
        from (
          select r.role_id, coalesce(r.display_name, r.role_id) as display_name, r.scope, r.rank, count(*)::int as spaces
          from (
            select unnest(u.roles) as role_id
            union all
            select unnest(cu.roles) from community_user cu
            where cu.user_id = u.user_id and cu.membership = 'member' and not cu.is_deleted
            union all
            select unnest(ch.roles) from channel_user ch
            where ch.user_id = u.user_id and ch.membership = 'member' and not ch.is_deleted
          ) held join role r on r.role_id = held.role_id
          where not r.is_deleted group by r.role_id) roles), '[]') as roles
    from staff_account a join network_user u on u.user_id = a.network_user_id
    where ${which} order by lower(a.name), a.id`,
  )
  const self = actingUserId(ctx)
  return rows.map(({ isOutranked, lastSeenAt, linkExpiresAt, ...row }) => ({
    ...row,
    ...present({ lastSeenAt: lastSeenAt?.toISOString(), linkExpiresAt: linkExpiresAt?.toISOString() }),
    isSelf: row.userId === self,
    mayChange: holds(ctx, 'MANAGE_STAFF') && isOutranked && row.userId !== self,
  }))
}
