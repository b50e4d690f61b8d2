import { type Sql, sql } from '#server/core/db.ts'

/** A person `u` with their account `a`, both in use, and their choices `c` and times `p`: the tables that notifications are made from. */
export const CHOOSERS = sql`
  notification_choice c join notification_person p on p.user_id = c.user_id
  join network_user u on u.user_id = c.user_id and not u.is_deleted and not u.is_global_ban
  join staff_account a on a.network_user_id = u.user_id and not a.is_disabled
  left join staff_preference f on f.user_id = c.user_id`

/** Whether mail or push still reaches them: a condition on `c` and `p`. */
export const IS_REACHED = sql`(c.channel <> 'mail' or p.mail_ended_at is null)`

/** The zone in force, and the hours in it: what `Schedule` has. */
export const SCHEDULE = sql`coalesce(f.preferences ->> 'zone', p.zone) as zone, p.digest_hour, p.quiet_from, p.quiet_until`

/** Whether `u` holds this permission in a network role. */
export function holdsInNetwork(permission: string): Sql {
  return sql`${permission} = any(network_role_permissions(u.roles))`
}

/** Whether `u` manages the rules of the community of the column, or those of the network where that is null. */
export function managesRules(communityColumn: Sql): Sql {
  return sql`(${holdsInNetwork('MANAGE_RULES')} or exists (
    select from community_user theirs
    where theirs.community_id = ${communityColumn} and theirs.user_id = u.user_id and theirs.membership = 'member' and not theirs.is_deleted
      and 'MANAGE_RULES' = any(role_permissions(theirs.roles))))`
}
