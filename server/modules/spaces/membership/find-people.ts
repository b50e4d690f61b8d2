import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { rowsOfJson } from '#server/core/database/json-rows.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { listOf, type Sql, sql } from '#server/core/db.ts'
import { rankByRow } from '#server/core/permissions.ts'
import { isBelow, outranks } from '#server/modules/accounts/roles/outranks.ts'
import type { FoundPeople, FoundPerson, StoredRow, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

/** A row of a statement that finds a space with people, or the only one where it finds none of them. */
export interface PersonRow {
  /** The caller's. */
  own: StoredRow | null
  person: Omit<FoundPerson, 'stored'> | null
  stored: StoredRow | null
}

/** The columns that `PersonRow` reads, beside those of the space. */
export function personColumns(ctx: Ctx, kind: SpaceTable, wanted: WantedPeople): Sql {
  return sql`
    ${joinedRow('own')}, own.membership, own.is_deleted, own.roles,
    ${joinedRow('person')}, ${asFound(ctx, kind, wanted)},
    ${joinedRow('stored')}, cu.membership, cu.is_deleted, cu.roles`
}

/** What they are selected from: each `network_user u`, with their row `cu` of the space and the caller's, `own`. */
export function peopleOf(ctx: Ctx, { members, id }: SpaceTable, { spaceId, userIds }: WantedPeople): Sql {
  const rowOf = (user: Sql) =>
    sql`(select * from ${members} row where row.${id} = ${spaceId} and row.user_id = ${user} offset 0)`
  return sql`
    (select * from network_user u where u.user_id = any(${listOf(userIds)}) offset 0) u
    left join lateral ${rowOf(sql`u.user_id`)} cu on true
    left join lateral ${rowOf(sql`${actingUserId(ctx) ?? null}`)} own on true`
}

export function peopleIn(rows: PersonRow[]): Pick<FoundPeople<unknown>, 'people' | 'own'> {
  return {
    people: rows.flatMap(({ person, stored }) => (person === null ? [] : { ...person, stored })),
    own: rows[0]?.own ?? null,
  }
}

const STORED = sql`json_build_object('membership', cu.membership, 'isDeleted', cu.is_deleted, 'roles', cu.roles)`

/** People as two columns of the space's only row: `people`, each once in the order of ids, and `own`, the caller's row. */
export function peopleColumns(ctx: Ctx, kind: SpaceTable, wanted: WantedPeople): Sql {
  const { members, id, locksRows } = kind
  const { spaceId, userIds } = wanted
  return sql`
    (select json_agg(person order by person.user_id) from (
      select ${asFound(ctx, kind, wanted)}, case when cu.user_id is not null then ${STORED} end as stored
      from network_user u left join ${members} cu on cu.${id} = ${spaceId} and cu.user_id = u.user_id
      where u.user_id = any(${listOf(userIds)}) and not (${locksRows} and u.is_deleted and cu.user_id is null)) person) as people,
    (select ${STORED} from ${members} cu where cu.${id} = ${spaceId} and cu.user_id = ${actingUserId(ctx) ?? null}) as own`
}

/** The columns of a person, selected from `network_user u` and their row `cu`. */
function asFound(ctx: Ctx, kind: SpaceTable, { spaceId, comparesRanks }: WantedPeople): Sql {
  const user = sql`u.user_id`
  return sql`
    ${user}, coalesce(${kind.membership(sql`cu`)}, 'none') as membership, coalesce(cu.roles, '{}') as roles,
    coalesce(cu.membership = 'member' and not cu.is_deleted, false) as was_member,
    ${comparesRanks ? mayActOn(ctx, kind, spaceId, user) : sql`true`} as is_below`
}

/** Whether the caller may act on the user that the column names, as an SQL condition. */
export function mayActOn(ctx: Ctx, kind: SpaceTable, spaceId: string, user: Sql): Sql {
  return sql`(${isOther(ctx, kind, user)} and ${outranks(ctx, user, kind.space(spaceId))})`
}

/** Whether a caller of this rank in the space may act on the user whose row there has this alias, as an SQL condition. */
export function mayActOnRow(ctx: Ctx, kind: SpaceTable, row: Sql, ownRank: Sql): Sql {
  const user = sql`${row}.user_id`
  return sql`(${isOther(ctx, kind, user)} and ${isBelow(ownRank, rankByRow(user, row))})`
}

function isOther(ctx: Ctx, { sparesSelf }: SpaceTable, user: Sql): Sql {
  return sparesSelf ? sql`${user} is distinct from ${actingUserId(ctx) ?? null}` : sql`true`
}

/** What `peopleColumns` are read as. */
export interface PeopleRow {
  people: Record<string, unknown>[] | null
  own: StoredRow | null
}

export function toPeople({ people, own }: PeopleRow): Pick<FoundPeople<unknown>, 'people' | 'own'> {
  return { people: rowsOfJson<FoundPerson>(people, []), own }
}
