import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ListKey, PageRequest } from '#server/core/keyset.ts'
import { chooseIndexTerms, termsOf } from '#server/modules/search/choose-index-terms.ts'
import { COUNTED, hasMany, inHalves, sampleOf } from '#server/modules/search/in-halves.ts'
import {
  type Asking,
  alongTime,
  amongFew,
  type Found,
  findFew,
  type Hit,
  RANKS,
  type Search,
  type Slice,
  throughIndex,
} from '#server/modules/search/read-hits.ts'

export interface Hits {
  /** One more than the page needs, if there are more. */
  hits: Hit[]
  totalCount: number
  totalCountIsLowerBound?: true
}

/**
 * One page of hits, and their total. If a filter leaves few rows, all are checked. Otherwise up to 10,001 hits are read: fewer
 * are all sorted; with more, the page is found by walking the rows in order of time, right away if a sample predicts more.
 * Fails with INVALID_REQUEST for an invalid cursor.
 */
export async function findHits(ctx: Ctx, search: Search, page: PageRequest): Promise<Hits> {
  const slice: Slice = {
    wording: 'any',
    isDescending: search.isDescending === (page.before === undefined),
    from: readPlace(page),
    skip: page.skip ?? 0,
    limit: page.limit,
  }
  const few = await findFew(ctx, search)
  if (few) return counted(await amongFew(ctx, search, slice, few))
  const [asked, { isFew, manyUpTo }] = await Promise.all([
    chooseIndexTerms(ctx, search),
    sampleOf(ctx, { ...search, asked: termsOf(search) }, slice),
  ])
  const asking = { ...search, asked }
  if (manyUpTo !== undefined) {
    const [isMany, hits] = await Promise.all([hasMany(ctx, asking, slice, manyUpTo), amongMany(ctx, asking, slice)])
    if (isMany) return uncounted(hits)
  }
  const found = await (isFew ? throughIndex : inHalves)(ctx, asking, slice, COUNTED + 1)
  return found.total > COUNTED ? uncounted(await amongMany(ctx, asking, slice)) : counted(found)
}

/** A page among more hits than are counted. By relevance, exact matches of the query and all others are two lists. */
async function amongMany(ctx: Ctx, search: Asking, slice: Slice): Promise<Hit[]> {
  if (slice.skip > 0) return allSorted(ctx, search, slice)
  if (!search.byRelevance || search.isExact) return inTime(ctx, search, slice)

  const [first, last] = slice.isDescending ? (['exact', 'other'] as const) : (['other', 'exact'] as const)
  if (slice.from?.rank === RANKS[last]) return inTime(ctx, search, { ...slice, wording: last })
  const hits = await inTime(ctx, search, { ...slice, wording: first })
  if (hits.length > slice.limit) return hits
  const rest = { ...slice, wording: last, from: undefined, limit: slice.limit - hits.length }
  return [...hits, ...(await inTime(ctx, search, rest))]
}

async function inTime(ctx: Ctx, search: Asking, slice: Slice): Promise<Hit[]> {
  const hits = await alongTime(ctx, search, slice)
  return hits.length > slice.limit ? hits : allSorted(ctx, search, slice)
}

async function allSorted(ctx: Ctx, search: Asking, slice: Slice): Promise<Hit[]> {
  return (await inHalves(ctx, search, slice)).hits
}

function counted({ hits, total }: Found): Hits {
  return { hits, totalCount: total }
}

function uncounted(hits: Hit[]): Hits {
  return { hits, totalCount: COUNTED, totalCountIsLowerBound: true }
}

/** A hit's position in its list, stable when other hits come and go. */
export function placeOf({ rank, at, tie }: Hit): ListKey {
  return [`${rank} ${at.toISOString()}`, tie]
}

const Place = z.tuple([
  z.templateLiteral([z.enum(['0', '1']), ' ', z.iso.datetime({ precision: 3 })]),
  z.string().regex(/^[\w-]{1,100}$/),
])

function readPlace({ before, after, isInclusive = false }: PageRequest): Slice['from'] {
  const key = before ?? after
  if (key === undefined) return undefined
  const place = Place.safeParse(key)
  if (!place.success) throw new DomainError('INVALID_REQUEST', { detail: ['options.token: not valid'] })
  const [rankAndTime, tie] = place.data
  return { rank: Number(rankAndTime[0]), key: [rankAndTime.slice(2), tie], isInclusive }
}
