import type { Ctx } from '#server/core/ctx.ts'
import type { PageRequest } from '#server/core/database/keyset.ts'
import { chooseStrategy, type Facts, type Strategy } from '#server/modules/search/choose-strategy.ts'
import { readHitKey } from '#server/modules/search/hit-key.ts'
import { COUNTED, hasMany, inHalves } from '#server/modules/search/in-halves.ts'
import { readFacts } from '#server/modules/search/read-facts.ts'
import { readFilteredRows, readIndex, walkByTime } from '#server/modules/search/read-hits.ts'
import type { Found, Hit, IndexedSearch, Search, Slice, Wording } from '#server/modules/search/search.ts'
import type { GatheredEnvelope } from '#server/modules/search/search-envelope.ts'

export interface Hits {
  /** One more than the page needs, if there are more. */
  hits: Hit[]
  totalCount: number
  totalCountIsLowerBound?: true
  /** What the search's `answer` asked for, if the page was read in one statement. */
  gathered?: GatheredEnvelope | undefined
}

/** One page of hits, and their total, exact up to 10,000. Fails with INVALID_REQUEST for an invalid cursor. */
export async function findHits(ctx: Ctx, search: Search, page: PageRequest): Promise<Hits> {
  const slice: Slice = {
    wording: 'any',
    isDescending: search.isDescending === (page.before === undefined),
    from: readHitKey(page),
    skip: page.skip ?? 0,
    limit: page.limit,
  }
  const { search: indexed, facts } = await readFacts(ctx, search, slice)
  return execute(ctx, indexed, slice, chooseStrategy(indexed, slice, facts))
}

async function execute(ctx: Ctx, search: IndexedSearch, slice: Slice, strategy: Strategy): Promise<Hits> {
  const again = (facts: Facts) => execute(ctx, search, slice, chooseStrategy(search, slice, facts))
  switch (strategy.name) {
    case 'filtered-rows':
      return counted(await readFilteredRows(ctx, search, slice, strategy.filter))
    case 'one-scan':
    case 'two-scans': {
      const read = strategy.name === 'one-scan' ? readIndex : inHalves
      const found = await read(ctx, search, slice, COUNTED + 1)
      return found.total > COUNTED ? again({ hasManyHits: true }) : counted(found)
    }
    case 'count-first': {
      const [hasManyHits, page] = await Promise.all([
        hasMany(ctx, search, slice, strategy.upToLevel),
        again({ hasManyHits: true }),
      ])
      return hasManyHits ? page : again({ hasManyHits })
    }
    case 'walk-by-time':
      return uncounted(await walkParts(ctx, search, slice, strategy.parts))
    case 'sort-all':
      return uncounted(await sortAll(ctx, search, slice))
  }
}

async function walkParts(
  ctx: Ctx,
  search: IndexedSearch,
  slice: Slice,
  [first, second]: [Wording, Wording?],
): Promise<Hit[]> {
  const hits = await walkPart(ctx, search, { ...slice, wording: first })
  if (second === undefined || hits.length > slice.limit) return hits
  const rest = { ...slice, wording: second, from: undefined, limit: slice.limit - hits.length }
  return [...hits, ...(await walkPart(ctx, search, rest))]
}

/** Sorts all hits of a part if the rows that were walked do not fill the page. */
async function walkPart(ctx: Ctx, search: IndexedSearch, slice: Slice): Promise<Hit[]> {
  const hits = await walkByTime(ctx, search, slice)
  return hits.length > slice.limit ? hits : sortAll(ctx, search, slice)
}

async function sortAll(ctx: Ctx, search: IndexedSearch, slice: Slice): Promise<Hit[]> {
  return (await inHalves(ctx, search, slice)).hits
}

function counted({ hits, total, gathered }: Found): Hits {
  return { hits, totalCount: total, gathered }
}

function uncounted(hits: Hit[]): Hits {
  return { hits, totalCount: COUNTED, totalCountIsLowerBound: true }
}
