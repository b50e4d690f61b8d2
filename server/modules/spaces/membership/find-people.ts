import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { rowsOfJson } from '#server/core/database/json-rows.ts'
import { listOf, type Sql, sql } from '#server/core/db.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import type { FoundPeople, FoundPerson, StoredRow, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

const STORED = sql`json_build_object('membership', cu.membership, 'isDeleted', cu.is_deleted, 'roles', cu.roles)`

/** Columns of a statement that finds a space with people: `people`, each once in the order of ids, and `own`. */
export function peopleColumns(ctx: Ctx, kind: SpaceTable, { spaceId, userIds }: WantedPeople): Sql {
  const { members, id, locksRows } = kind
  const user = sql`u.user_id`
  return sql`
    (select json_agg(person order by person.user_id) from (
      select ${user}, coalesce(${kind.membership(sql`cu`)}, 'none') as membership, coalesce(cu.roles, '{}') as roles,
        coalesce(cu.membership = 'member' and not cu.is_deleted, false) as was_member, ${mayActOn(ctx, kind, spaceId, user)} as is_below,
        case when cu.user_id is not null then ${STORED} end as stored
      from network_user u left join ${members} cu on cu.${id} = ${spaceId} and cu.user_id = u.user_id
      where u.user_id = any(${listOf(userIds)}) and not (${locksRows} and u.is_deleted and cu.user_id is null)) person) as people,
    (select ${STORED} from ${members} cu where cu.${id} = ${spaceId} and cu.user_id = ${actingUserId(ctx) ?? null}) as own`
}

/** Whether the caller may act on the user that the column names, as an SQL condition. */
export function mayActOn(ctx: Ctx, kind: SpaceTable, spaceId: string, user: Sql): Sql {
  const isOther = kind.sparesSelf ? sql`${user} is distinct from ${actingUserId(ctx) ?? null}` : sql`true`
  return sql`(${isOther} and ${outranks(ctx, user, kind.space(spaceId))})`
}

/** What those columns are read as. */
export interface PeopleRow {
  people: Record<string, unknown>[] | null
  own: StoredRow | null
}

export function toPeople({ people, own }: PeopleRow): Pick<FoundPeople<unknown>, 'people' | 'own'> {
  return { people: rowsOfJson<FoundPerson>(people, []), own }
}
