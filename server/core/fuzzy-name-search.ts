import { type Sql, sql } from '#server/core/db.ts'

/** Named records, and how each kind of look-up finds its index. */
export interface NamedTable {
  from: Sql
  id: Sql
  /** Whether the query is exactly its id or another unique field. */
  isExactMatch: (typed: string) => Sql
  /** The name in the form in which names are compared: an expression that has an index, before the id. */
  sortName: Sql
  /** A text in the form of `sortName`. */
  fold: (typed: string) => Sql
  /** Whether each of these words is part of its name, or all that was typed is part of another field: columns with a trigram index. */
  contains: (words: string[], typed: string) => Sql
  /**
   * Whether each of these words, in any order, is a word of its name with one typing error at most. Without it, only transposed letters are
   * corrected, in words as they were typed.
   */
  hasMisspelt?: (words: string[]) => Sql
  /** The columns that may be misspelt further, each with a trigram index: each is only searched if those before found nothing. */
  names: [Sql, ...Sql[]]
}

/**
 * How many names that contain the query, or are similar to it, are compared. With only as many as are shown, the planner would expect to
 * meet them early in the table and, if there are none, read all of it.
 */
const COMPARED = sql.raw('limit 500')
/** Shorter queries have no trigrams: they are matched as beginnings of names, or as ids. */
const TRIGRAM_LENGTH = 3
/** More words than names have. */
const WORDS = 8
/**
 * Trigrams tolerate most typos except transposed neighbouring letters, the most common one; transpositions in this many first letters are
 * corrected.
 */
const TRANSPOSED_LETTERS = 20

/**
 * The ids of the best matches, as a subquery of `id`, `position` (0 is an exact match, then as `MATCHES`) and `likeness`. Each further
 * look-up only runs if those before found too little: a common part of a name matches many rows, and a misspelling costs more.
 */
export function rankByName(table: NamedTable, typed: string, isKnown: Sql, shown: number): Sql {
  const { from, id, sortName, fold, names } = table
  const folded = fold(typed)
  const words = wordsOf(typed)
  const isLongEnough = words.some((word) => word.length >= TRIGRAM_LENGTH)
  const isIt = table.isExactMatch(typed)
  const isAnother = sql`not coalesce(${isIt}, false)`
  const begins = sql`starts_with(${sortName}, ${folded})`
  const likeness = sql`similarity(${sortName}, ${folded})`
  const most = sql.raw(`limit ${Math.trunc(shown)}`)
  const alike = names.map((name, index) => {
    const before = ['begun', 'held', 'misspelt', ...names.slice(0, index).map((_, earlier) => `alike_${earlier}`)]
    return sql`${sql.raw(`alike_${index}`)} as materialized (
      select ${id} as id, 4 as position, word_similarity(${typed}, ${name}) as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and ${nothingIn(before)} and ${typed} <% ${name} and ${isKnown} ${COMPARED})`
  })
  return sql`(
    with begun as materialized (
      (select ${id} as id, 0 as position, 1::real as likeness, ${sortName} as name from ${from} where ${isIt} and ${isKnown})
      union all
      (select ${id}, 0, 0, ${sortName} from ${from} where ${sortName} = ${folded} and ${isAnother} and ${isKnown} order by ${id} ${most})
      union all
      (select ${id}, 1, 0, ${sortName} from ${from}
       where ${sortName} >= ${folded} and ${sortName} < ${folded} || chr(1114111) and ${begins}
         and ${sortName} <> ${folded} and ${isAnother} and ${isKnown}
       order by ${sortName}, ${id} ${most})),
    held as materialized (
      select ${id} as id, 2 as position, ${likeness} as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and (select count(*) from begun) < ${Math.trunc(shown)}
        and ${table.contains(words, typed)} and not ${begins} and ${isAnother} and ${isKnown} ${COMPARED}),
    ${table.hasMisspelt ? misspelt(table.hasMisspelt(words)) : transposed()},
    ${sql.join(alike)}
    select id, position, likeness
    from (select * from begun union all select * from held union all select * from misspelt
      ${sql.join(
        names.map((_, index) => sql.raw(`union all select * from alike_${index}`)),
        ' ',
      )}) found
    order by position, likeness desc, name, id ${most})`

  /**
   * Not after an exact match, which is who was meant. The rows are read as far as they are needed, but planned as if all were: else the
   * planner would read the table, expecting to meet enough of them early.
   */
  function misspelt(isMisspelt: Sql): Sql {
    return sql`
      close as materialized (select ${id} as id, ${likeness} as likeness, ${sortName} as name from ${from} where ${isMisspelt} and ${isKnown}),
      misspelt as materialized (
        select id, 3 as position, likeness, name from close
        where (select count(*) from begun where position = 0) = 0
          and (select count(*) from begun) + (select count(*) from held) < ${Math.trunc(shown)}
          and id <> all(array(select id from begun union all select id from held)) ${COMPARED})`
  }

  function transposed(): Sql {
    return sql`
      misspelt as materialized (
        select found.* from unnest(${transpositions(typed)}::text[]) as variant(beginning)
        cross join lateral (
          select ${id} as id, 3 as position, 0::real as likeness, ${sortName} as name from ${from}
          where ${nothingIn(['begun', 'held'])}
            and ${sortName} >= variant.beginning and ${sortName} < variant.beginning || chr(1114111)
            and starts_with(${sortName}, variant.beginning) and ${isKnown}
          order by ${sortName}, ${id} ${most}) found)`
  }
}

const nothingIn = (before: string[]) => sql.raw(before.map((way) => `not exists (select from ${way})`).join(' and '))

/** The words that have a letter or digit. */
function wordsOf(typed: string): string[] {
  return typed
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, WORDS)
}

/** The spellings with two neighbouring letters transposed. */
function transpositions(typed: string): string[] {
  const letters = [...typed.toLowerCase()]
  return letters
    .slice(1, TRANSPOSED_LETTERS)
    .flatMap((letter, position) =>
      letter === letters[position]
        ? []
        : [[...letters.slice(0, position), letter, letters[position], ...letters.slice(position + 2)].join('')],
    )
}
