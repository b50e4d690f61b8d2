import { type Sql, sql } from '#server/core/db.ts'
import { type HeldType, isOfType } from '#server/modules/content/items/held.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import type { DeskFilter, QueueOrder } from '#server/modules/review/queue/schema.ts'

/**
 * By what `review_facet` finds held items: a rule, a label of rules, a named queue, or a signal with a range of its scores
 * (docs/decisions/0244-queue-by-rule-and-by-signal.md).
 */
interface Facet {
  name: string
  /** Of a signal's scores: at least `from`, and less than `under`. */
  range?: { from: number; under: number }
}

type FacetFilter = Pick<DeskFilter, 'queueId' | 'ruleId' | 'label' | 'signal' | 'scoreFrom' | 'scoreUnder'>

const BANDS_OF_ONE = 20
/** Beyond all scores: the highest, 1, is a band of its own. */
const NO_LIMIT = 1.05

function ruleFacet({ ruleId }: FacetFilter): Facet[] {
  return ruleId === undefined ? [] : [{ name: `rule:${ruleId}` }]
}

function labelFacet({ label }: FacetFilter): Facet[] {
  return label === undefined ? [] : [{ name: `label:${label}` }]
}

function queueFacet({ queueId }: FacetFilter): Facet[] {
  return queueId === undefined ? [] : [{ name: `queue:${queueId}` }]
}

function signalFacet({ signal, scoreFrom: from = 0, scoreUnder: under = NO_LIMIT }: FacetFilter): Facet[] {
  return signal === undefined ? [] : [{ name: `signal:${signal}`, range: { from, under } }]
}

/** What the filter says of the facets of `review_item i`, by its type as a column or a literal. Uses review_facet_pkey. */
export function withFacets(filter: FacetFilter, type: Sql): Sql {
  const facets = [...ruleFacet(filter), ...labelFacet(filter), ...queueFacet(filter), ...signalFacet(filter)]
  const conditions = facets.map(
    (facet) =>
      sql`and exists (select from review_facet f where f.subject_type = ${type} and f.subject_id = i.subject_id and ${isIn(facet)})`,
  )
  return conditions.length === 0 ? sql.empty : sql.join(conditions, ' ')
}

/** Of the signal that is filtered by, the score of `review_item i`, for `toQueueItem`. Uses review_facet_pkey. */
export function scoreColumn({ signal }: FacetFilter, type: Sql): Sql {
  if (signal === undefined) return sql.empty
  return sql`, (
    select f.score from review_facet f where f.subject_type = ${type} and f.subject_id = i.subject_id and f.facet = ${`signal:${signal}`}) as score`
}

/** A literal, so that the plan of a statement for comments isn't that of one for posts. */
export const typeLiteral = (type: HeldType): Sql => sql.raw(`'${type}'`)

const ofType = (type: HeldType) => sql`f.subject_type = ${typeLiteral(type)}`

function isIn({ name, range }: Facet): Sql {
  if (range === undefined) return sql`f.facet = ${name} and f.band = 0`
  const { first, last } = bandsOf(range)
  return sql`f.facet = ${name} and f.band between ${first} and ${last}`
}

function bandsOf({ from, under }: NonNullable<Facet['range']>) {
  return { first: Math.round(from * BANDS_OF_ONE), last: Math.round(under * BANDS_OF_ONE) - 1 }
}

/** The filter's facet that a list is read by, in the order of its index, and the filter without it. */
export interface ScannedFacet<Filter> {
  facet: Facet
  rest: Filter
}

/** Undefined if the filter has none. */
export function facetToScan<Filter extends FacetFilter>(
  filter: Filter,
  order: QueueOrder = 'newest',
): ScannedFacet<Filter> | undefined {
  if (order !== 'score') {
    const [rule] = ruleFacet(filter)
    if (rule) return { facet: rule, rest: { ...filter, ruleId: undefined } }
    const [label] = labelFacet(filter)
    if (label) return { facet: label, rest: { ...filter, label: undefined } }
    const [queue] = queueFacet(filter)
    if (queue) return { facet: queue, rest: { ...filter, queueId: undefined } }
  }
  const [signal] = signalFacet(filter)
  return (
    signal && { facet: signal, rest: { ...filter, signal: undefined, scoreFrom: undefined, scoreUnder: undefined } }
  )
}

function withItems(type: HeldType): Sql {
  return sql`review_facet f join review_item i on i.subject_id = f.subject_id and ${isOfType(type)} and i.kind = 'held'`
}

/** All of a facet `f` in the communities of a column, joined to its items `i`. Uses review_facet_in_order. */
export function allOfFacet(facet: Facet, type: HeldType, communityColumn: Sql): Sql {
  return sql`${withItems(type)} and f.community_id = ${communityColumn} and ${ofType(type)} and ${isIn(facet)}`
}

/** What a facet's items are sorted by: columns of `f` that its indexes have. */
export const FACET_KEYS: Record<QueueOrder, Sql> = {
  newest: sql`f.placed_at`,
  oldest: sql`f.placed_at`,
  urgent: sql`f.urgent_at`,
  score: sql`f.score`,
}

const IN_ORDER: Record<QueueOrder, Sql> = {
  newest: sql`f.placed_at desc, f.subject_id`,
  oldest: sql`f.placed_at, f.subject_id desc`,
  urgent: sql`f.urgent_at, f.subject_id`,
  score: sql`f.score desc, f.subject_id`,
}

interface FacetScan {
  order: QueueOrder
  /** Conditions on the facet's rows `f`, and on the items `i` if they are read too. */
  held: Sql
  most: number
}

/** The first rows of a facet in the community `space`, as a table: so many for each band of scores, in no order. */
export function rowsOfFacet(facet: Facet, type: HeldType, scan: FacetScan): Sql {
  return scanFacet(facet, type, scan, { columns: sql`f.*`, from: sql`review_facet f` })
}

/** The items of `rowsOfFacet`, as a table: each with its score as `facet_score`. */
export function itemsOfFacet(facet: Facet, type: HeldType, scan: FacetScan): Sql {
  const columns = sql`i.*, f.score as facet_score`
  return scanFacet(facet, type, scan, { columns, from: withItems(type) })
}

/**
 * By score in one scan of an index; by time in one for each band, so that what comes first in a range is found without reading the rest. Uses
 * review_facet_in_order, review_facet_urgent or review_facet_by_score.
 */
function scanFacet(
  { name, range }: Facet,
  type: HeldType,
  { order, held, most }: FacetScan,
  { columns, from }: { columns: Sql; from: Sql },
): Sql {
  const scan = (where: Sql) => sql`(
    select ${columns} from ${from}
    where f.community_id = space.community_id and ${ofType(type)} and f.facet = ${name} and ${where} and ${held}
    order by ${IN_ORDER[order]} ${atMost(most)})`
  if (range === undefined) return scan(sql`f.band = 0`)
  if (order === 'score') return scan(sql`f.score >= ${range.from} and f.score < ${range.under}`)
  const { first, last } = bandsOf(range)
  return sql`(
    select of_band.* from generate_series(${first}::int, ${last}::int) banded(band)
    cross join lateral ${scan(sql`f.band = banded.band::smallint`)} of_band)`
}
