import { type Sql, sql } from '#server/core/db.ts'
import { containing } from '#server/core/like.ts'

/** Named records, and how each kind of look-up finds its index. */
export interface NamedTable {
  from: Sql
  id: Sql
  /** Whether the query is exactly its id or another unique field. */
  isExactMatch: (typed: string) => Sql
  /** Worded like the index of the list by name. */
  sortName: Sql
  /** The columns that may be misspelt, each with a trigram index: each is only searched if those before found nothing. */
  names: [Sql, ...Sql[]]
  /** Whether any part of it matches: the columns that have a trigram index. */
  contains: (pattern: string) => Sql
}

/**
 * How many names that contain the query, or are similar to it, are compared. With only as many as are shown, the planner would expect to
 * meet them early in the table and, if there are none, read all of it.
 */
const COMPARED = sql.raw('limit 500')
/** Shorter queries have no trigrams: they are matched as beginnings of names, or as ids. */
const TRIGRAM_LENGTH = 3
/**
 * Trigrams tolerate most typos except transposed neighbouring letters, the most common one; transpositions in this many first letters are
 * corrected.
 */
const TRANSPOSED_LETTERS = 20

/**
 * The ids of the best matches, as a subquery of `id`, `place` (rank: 0 is an exact match) and `likeness`. Each further look-up only runs if
 * those before found too little: a common part of a name matches many rows, and a misspelling costs more.
 */
export function rankByName(table: NamedTable, words: string, isKnown: Sql, shown: number): Sql {
  const { from, id, isExactMatch: isIt, sortName, names, contains: holds } = table
  const isLongEnough = words.length >= TRIGRAM_LENGTH
  const begins = sql`starts_with(${sortName}, lower(${words}))`
  const most = sql.raw(`limit ${Math.trunc(shown)}`)
  const nothingIn = (before: string[]) => sql.raw(before.map((way) => `not exists (select from ${way})`).join(' and '))
  const alike = names.map((name, position) => {
    const before = ['begun', 'held', 'changed', ...names.slice(0, position).map((_, index) => `alike_${index}`)]
    return sql`${sql.raw(`alike_${position}`)} as materialized (
      select ${id} as id, 4 as position, word_similarity(${words}, ${name}) as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and ${nothingIn(before)} and ${words} <% ${name} and ${isKnown} ${COMPARED})`
  })
  return sql`(
    with begun as materialized (
      (select ${id} as id, 0 as position, 0::real as likeness, ${sortName} as name from ${from} where ${isIt(words)} and ${isKnown})
      union all
      (select ${id}, 1, 0, ${sortName} from ${from}
       where ${sortName} >= lower(${words}) and ${sortName} < lower(${words}) || chr(1114111) and ${begins}
         and not coalesce(${isIt(words)}, false) and ${isKnown}
       order by ${sortName}, ${id} ${most})),
    held as materialized (
      select ${id} as id, 2 as position, 0::real as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and (select count(*) from begun) < ${Math.trunc(shown)}
        and ${holds(containing(words))} and not ${begins} and not coalesce(${isIt(words)}, false) and ${isKnown} ${COMPARED}),
    changed as materialized (
      select found.* from unnest(${transpositions(words)}::text[]) as variant(beginning)
      cross join lateral (
        select ${id} as id, 3 as position, 0::real as likeness, ${sortName} as name from ${from}
        where ${nothingIn(['begun', 'held'])}
          and ${sortName} >= variant.beginning and ${sortName} < variant.beginning || chr(1114111)
          and starts_with(${sortName}, variant.beginning) and ${isKnown}
        order by ${sortName}, ${id} ${most}) found),
    ${sql.join(alike)}
    select id, position, likeness
    from (select * from begun union all select * from held union all select * from changed
      ${sql.join(
        names.map((_, position) => sql.raw(`union all select * from alike_${position}`)),
        ' ',
      )}) found
    order by position, likeness desc, name, id ${most})`
}

/** The spellings with two neighbouring letters transposed. */
function transpositions(words: string): string[] {
  const letters = [...words.toLowerCase()]
  return letters
    .slice(1, TRANSPOSED_LETTERS)
    .flatMap((letter, position) =>
      letter === letters[position]
        ? []
        : [[...letters.slice(0, position), letter, letters[position], ...letters.slice(position + 2)].join('')],
    )
}
