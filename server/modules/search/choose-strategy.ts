import { type Filter, RANKS, type Search, type Slice, type Wording } from '#server/modules/search/search.ts'

/** How one page of hits is read; `find-hits.ts` executes each. */
export type Strategy =
  /** Check all rows of a filter that few rows pass. */
  | { name: 'filtered-rows'; filter: Filter }
  /** Read and sort up to 10,001 hits: in one index scan, or in two halves on a connection each. */
  | { name: 'one-scan' | 'two-scans' }
  /** Count the hits up to this level. In parallel, read the page as if there are more hits than are counted exactly. */
  | { name: 'count-first'; upToLevel: number }
  /** A page of many hits: walk the rows in order of time, once for each of these parts of the list. */
  | { name: 'walk-by-time'; parts: [Wording, Wording?] }
  /** A page of many hits: sort all of them. */
  | { name: 'sort-all' }

/** What is known when a strategy is chosen. */
export type Facts =
  /** Few rows have the words at all. */
  | { areWordsRare: true }
  /** A filter that few rows pass. */
  | { selectiveFilter: Filter }
  /** The hits on the first levels, up to `SAMPLE.hits`, and the level of the last one if there are as many. Absent if there is one level. */
  | { sample: { hits: number; level: string | null } | undefined }
  /** Whether there are more hits than are counted exactly, once they were counted or read. */
  | { hasManyHits: boolean }

/**
 * 360 hits on the first 16 levels, which have one row in 32, predict more than 10,000 hits in total. Up to `few` the second connection
 * costs more than it saves. Up to `rare`, which predicts 640, rows are checked faster than the index looks up what else is asked of them.
 */
export const SAMPLE = { levels: 16, hits: 360, few: 60, rare: 20 }
/** Up to four levels above that of the sample's last hit there are likely 5,760 or more hits, and as many on the fifth. */
const LEVELS_ABOVE = 5

/** Chooses how to read a page from what is known of its hits so far. */
export function chooseStrategy(
  search: Pick<Search, 'levels' | 'byRelevance' | 'isExact'>,
  slice: Pick<Slice, 'skip' | 'from' | 'isDescending'>,
  facts: Facts,
): Strategy {
  if ('areWordsRare' in facts) return { name: 'one-scan' }
  if ('selectiveFilter' in facts) return { name: 'filtered-rows', filter: facts.selectiveFilter }
  if ('hasManyHits' in facts) {
    if (!facts.hasManyHits) return { name: 'two-scans' }
    return slice.skip > 0 ? { name: 'sort-all' } : { name: 'walk-by-time', parts: partsOf(search, slice) }
  }
  const { hits, level } = facts.sample ?? { hits: 0, level: null }
  if (level !== null) return { name: 'count-first', upToLevel: search.levels.indexOf(level) + LEVELS_ABOVE }
  return { name: hits <= SAMPLE.few ? 'one-scan' : 'two-scans' }
}

/** The lists of a search: by relevance, exact matches of the query and all others are two. */
function partsOf(
  { byRelevance, isExact }: Pick<Search, 'byRelevance' | 'isExact'>,
  { from, isDescending }: Pick<Slice, 'from' | 'isDescending'>,
): [Wording, Wording?] {
  if (!byRelevance || isExact) return ['any']
  const [first, last] = isDescending ? (['exact', 'other'] as const) : (['other', 'exact'] as const)
  return from?.rank === RANKS[last] ? [last] : [first, last]
}
