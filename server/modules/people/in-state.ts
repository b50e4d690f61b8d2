import { type Sql, sql } from '#server/core/db.ts'
import type { PersonState } from '#server/modules/people/schema.ts'

/**
 * Whether `network_user u` is in this state. Uses network_user_banned, network_user_flagged, network_user_deleted, and for staff the primary
 * key, as there are few.
 */
export function inState(state: PersonState): Sql {
  switch (state) {
    case 'banned':
      return sql`u.is_global_ban and not u.is_deleted`
    case 'flagged':
      return sql`u.flag_count > 0 and not u.is_deleted`
    case 'staff':
      return sql`u.user_id = any(array(select a.network_user_id from staff_account a)) and not u.is_deleted`
    case 'deleted':
      return sql`u.is_deleted`
  }
}
