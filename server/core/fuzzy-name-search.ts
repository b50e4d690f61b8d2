import { Prisma, type Sql } from '#server/core/db.ts'
import { containing } from '#server/core/like.ts'

/** Things that have a name, and how each way of looking for one finds its index. */
export interface NamedTable {
  from: Sql
  id: Sql
  /** Whether it is the very one whose id, or whatever else is its own, was typed. */
  isExactMatch: (typed: string) => Sql
  /** As the index of the list by name is worded. */
  sortName: Sql
  /** What may be misspelt, each with a trigram index: the next is only asked where those before found nothing. */
  names: [Sql, ...Sql[]]
  /** Whether any part of it is such: the columns that have a trigram index. */
  contains: (pattern: string) => Sql
}

/**
 * Of names that hold it, or are much like it, so many are compared. Were it as few as are shown, the planner would hope to meet
 * them early in the table and, where there are none, read all of it.
 */
const COMPARED = Prisma.raw('limit 500')
/** Shorter ones are in no trigram: they are beginnings of names, or ids. */
const TRIGRAM_LENGTH = 3
/** Trigrams forgive nearly any slip but two neighbours changed over, the commonest one: in the first so many letters they are put right. */
const TRANSPOSED_LETTERS = 20

/**
 * The ids of those that fit best, as a subquery of `id`, `place` (how well: 0 is the very one) and `likeness`. Each further way of
 * looking is only gone where those before found too little: a common part of a name costs a look through many, and a misspelling
 * more.
 */
export function rankByName(table: NamedTable, words: string, isKnown: Sql, shown: number): Sql {
  const { from, id, isExactMatch: isIt, sortName, names, contains: holds } = table
  const isLongEnough = words.length >= TRIGRAM_LENGTH
  const begins = Prisma.sql`starts_with(${sortName}, lower(${words}))`
  const most = Prisma.raw(`limit ${Math.trunc(shown)}`)
  const nothingIn = (before: string[]) =>
    Prisma.raw(before.map((way) => `not exists (select from ${way})`).join(' and '))
  const alike = names.map((name, place) => {
    const before = ['begun', 'held', 'changed', ...names.slice(0, place).map((_, index) => `alike_${index}`)]
    return Prisma.sql`${Prisma.raw(`alike_${place}`)} as materialized (
      select ${id} as id, 4 as place, word_similarity(${words}, ${name}) as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and ${nothingIn(before)} and ${words} <% ${name} and ${isKnown} ${COMPARED})`
  })
  return Prisma.sql`(
    with begun as materialized (
      (select ${id} as id, 0 as place, 0::real as likeness, ${sortName} as name from ${from} where ${isIt(words)} and ${isKnown})
      union all
      (select ${id}, 1, 0, ${sortName} from ${from}
       where ${sortName} >= lower(${words}) and ${sortName} < lower(${words}) || chr(1114111) and ${begins}
         and not coalesce(${isIt(words)}, false) and ${isKnown}
       order by ${sortName}, ${id} ${most})),
    held as materialized (
      select ${id} as id, 2 as place, 0::real as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and (select count(*) from begun) < ${Math.trunc(shown)}
        and ${holds(containing(words))} and not ${begins} and not coalesce(${isIt(words)}, false) and ${isKnown} ${COMPARED}),
    changed as materialized (
      select found.* from unnest(${transpositions(words)}::text[]) as variant(beginning)
      cross join lateral (
        select ${id} as id, 3 as place, 0::real as likeness, ${sortName} as name from ${from}
        where ${nothingIn(['begun', 'held'])}
          and ${sortName} >= variant.beginning and ${sortName} < variant.beginning || chr(1114111)
          and starts_with(${sortName}, variant.beginning) and ${isKnown}
        order by ${sortName}, ${id} ${most}) found),
    ${Prisma.join(alike)}
    select id, place, likeness
    from (select * from begun union all select * from held union all select * from changed
      ${Prisma.join(
        names.map((_, place) => Prisma.raw(`union all select * from alike_${place}`)),
        ' ',
      )}) found
    order by place, likeness desc, name, id ${most})`
}

/** What may have been meant where two neighbouring letters stand the wrong way round. */
function transpositions(words: string): string[] {
  const letters = [...words.toLowerCase()]
  return letters
    .slice(1, TRANSPOSED_LETTERS)
    .flatMap((letter, place) =>
      letter === letters[place]
        ? []
        : [[...letters.slice(0, place), letter, letters[place], ...letters.slice(place + 2)].join('')],
    )
}
