import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, sql } from '#server/core/db.ts'
import { rankByName } from '#server/core/fuzzy-name-search.ts'
import { NAMED_PEOPLE } from '#server/modules/accounts/users/named-people.ts'
import { inState } from '#server/modules/people/in-state.ts'
import { type FindPeopleInput, type FoundPerson, MATCHES } from '#server/modules/people/schema.ts'
import { assertMayLookUp } from '#server/modules/people/scope.ts'
import { LISTED_COLUMNS, type ListedRow, toListed } from '#server/modules/people/view.ts'

const SHOWN = 20

/**
 * People by any of their ids, by name or handle, including misspelt ones: the twenty best matches, deleted people included. Profiles are
 * visible to anyone who may look people up. FORBIDDEN for anyone else.
 */
export async function findPeople(ctx: Ctx, { query: typed, state }: FindPeopleInput): Promise<FoundPerson[]> {
  await assertMayLookUp(ctx)
  const words = typed.trim()
  if (words === '') return []
  const found = await query<ListedRow & { position: number }>(
    ctx,
    sql`
    select ${LISTED_COLUMNS}, f.position
    from ${rankByName(NAMED_PEOPLE, words, state === undefined ? sql`true` : inState(state), SHOWN)} f join network_user u on u.user_id = f.id
    order by f.position, f.likeness desc, lower(coalesce(u.display_name, u.user_id)), u.user_id ${NO_PREPARE}`,
  )
  return found.map(({ position, ...row }) => ({ ...toListed(row), match: MATCHES[position] ?? 'similar' }))
}
