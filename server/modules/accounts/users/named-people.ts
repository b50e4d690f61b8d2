import { containing } from '#server/core/database/like.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { NamedTable } from '#server/core/fuzzy-name-search.ts'

const foldedName = (name: Sql | string) => sql`folded_name(${name})`

/**
 * The search for people by name, id or handle, of `network_user u`. Uses network_user_pkey, network_user_internal_id_key,
 * network_user_handle_key, network_user_folded_name, network_user_folded_part, network_user_spellings, network_user_id, network_user_name
 * and network_user_handle.
 */
export const NAMED_PEOPLE: NamedTable = {
  from: sql`network_user u`,
  id: sql`u.user_id`,
  isExactMatch: (typed) => sql`
    (u.user_id in (${typed}, lower(${typed})) or u.internal_id = lower(${typed}) or handle_key(u.profile_handle) = handle_key(${typed}))`,
  sortName: foldedName(sql`coalesce(u.display_name, u.user_id)`),
  fold: foldedName,
  contains: (words, typed) => sql`(
    ${allOf(words, (word) => sql`${foldedName(sql`u.display_name`)} like '%' || ${foldedName(word)} || '%'`)}
    or u.user_id ilike ${containing(typed)} or u.profile_handle ilike ${containing(typed)})`,
  hasMisspelt: (words) => allOf(words, (word) => sql`name_spellings(u.display_name) && name_spellings(${word})`),
  names: [sql`u.display_name`, sql`u.profile_handle`],
}

function allOf(words: string[], condition: (word: string) => Sql): Sql {
  return words.length === 0 ? sql`false` : sql`(${sql.join(words.map(condition), ' and ')})`
}
