import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayEachInCommunity } from '#server/core/permissions.ts'
import { type HeldType, isOfType } from '#server/modules/content/items/held.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import { heldBetween, heldItems, includesAllPending, typesOf } from '#server/modules/review/queue/desk-filter.ts'
import {
  FACET_KEYS,
  facetToScan,
  itemsOfFacet,
  rowsOfFacet,
  type ScannedFacet,
  scoreColumn,
  typeLiteral,
} from '#server/modules/review/queue/facets.ts'
import { atMost, hasDates, inOrder } from '#server/modules/review/queue/held.ts'
import type { Position } from '#server/modules/review/queue/position.ts'
import {
  communityName,
  type ItemRow,
  namedItems,
  PENDING_ITEM,
  URGENCY,
} from '#server/modules/review/queue/queue-item.ts'
import type { DeskQueueInput, QueueOrder } from '#server/modules/review/queue/schema.ts'
import { MOST_TARGET_MINUTES } from '#server/modules/review/urgency/schema.ts'

/** Where a page starts, and what is left out of it. */
export interface ScanStart {
  position: Position | undefined
  /** The keys of groups that are left out. */
  shown: string[]
  scanLimit: number
}

/** `isEnd`: its scan ended there, and what comes after it is not known. */
export type ListedRow = ItemRow & { isEnd?: boolean }

const MERGED: Record<QueueOrder, string> = {
  newest: 'item.queued_at desc, item.subject_id, item.subject_type',
  oldest: 'item.queued_at, item.subject_id desc, item.subject_type desc',
  urgent: 'item.urgent_at, item.subject_id, item.subject_type',
  score: 'item.score desc, item.subject_id, item.subject_type',
}

/**
 * Merges one short index scan for each community and type, however long the queue is. Reads nothing of a community that the caller does not
 * review, and of many communities hardly more than the page (`pageOfManySpaces`).
 */
export function readQueuePage(ctx: Ctx, input: DeskQueueInput, position: ScanStart): Promise<ListedRow[]> {
  const order = sql.raw(MERGED[input.order])
  const types = typesOf(input)
  if (types.length === 0) return Promise.resolve([])
  const reviewed = input.communityId === undefined ? sql.empty : sql`and k.community_id = ${input.communityId}`
  const spaces = sql`(
    select k.community_id, ${communityName(sql`k`)}, may.comments, may.posts
    from community k cross join lateral (${mayEachInCommunity(ctx, REVIEWED, sql`k.community_id`)}) may
    where not k.is_deleted ${reviewed} offset 0) space`
  const scanned = facetToScan(input, input.order)
  const page = itemsOf(ctx, input, position, { types, spaces, scanned })
  const sorted = sql`${page} order by ${order} ${atMost(input.limit + 1)}`
  // Where a facet and other conditions leave few, the values of these decide what is read first.
  const planned = scanned && !isFacetAlone(scanned.rest) ? NO_PREPARE : sql.empty
  return query<ListedRow>(
    ctx,
    sql`${namedItems(sorted, { isCounted: true, isPlaced: true })} order by ${order} ${planned}`,
  )
}

interface Parts {
  types: HeldType[]
  /** The communities, as `space`. */
  spaces: Sql
  scanned: ScannedFacet<DeskQueueInput> | undefined
}

/** The items of at least one page, with the names of their communities. */
function itemsOf(ctx: Ctx, input: DeskQueueInput, position: ScanStart, { scanned, ...parts }: Parts): Sql {
  const { types, spaces } = parts
  if (isOfManySpaces(input)) return pageOfManySpaces(ctx, input, position, parts)
  if (scanned !== undefined && isFacetAlone(scanned.rest) && position.shown.length === 0)
    return pageOfFacet(ctx, input, position, { ...scanned, ...parts })
  const scans = types.map((type) =>
    scanned
      ? scanItemsOfFacet(ctx, input, position, { ...scanned, type })
      : scanItems(ctx, input, position, { type, columns: columnsOf(input, type) }),
  )
  return sql`
    select item.*, space.community_name from ${spaces}
    cross join lateral (${sql.join(scans, ' union all ')}) item`
}

const REVIEWED = { comments: 'reviewComments', posts: 'reviewPosts' } as const

/** Whether the facet's own rows have all that the rest of the filter is about. */
function isFacetAlone(rest: DeskQueueInput): boolean {
  const { communityId: _, kind: __, heldForMinutes: ___, heldUnderMinutes: ____, ...narrowing } = rest
  const { order: _order, limit: _limit, cursor: _cursor, ...filter } = narrowing
  return includesAllPending(filter)
}

/** The caller's whole queue, which nothing narrows but the kind of item. */
function isOfManySpaces({ communityId, order, limit: _, cursor: __, kind: ___, ...filter }: DeskQueueInput): boolean {
  return communityId === undefined && order !== 'score' && includesAllPending(filter)
}

/** The first few items of this many communities fill a page. */
const FEW_SPACES = 6

/**
 * A page of many communities, for which few rows are read: the first few items of each community are read for their times alone. Where they are
 * more than a page, no item after the last of that many is on the page, and most communities have none before it.
 */
function pageOfManySpaces(
  ctx: Ctx,
  input: DeskQueueInput,
  position: ScanStart,
  { types, spaces }: Omit<Parts, 'scanned'>,
): Sql {
  const [descending, endless] = input.order === 'newest' ? [sql`desc`, '-infinity'] : [sql.empty, 'infinity']
  const key = keyOf(input)
  const ofEach = { ...input, limit: Math.floor(input.limit / FEW_SPACES) }
  const firsts = types.map((type) => scanItems(ctx, ofEach, position, { type, columns: sql`${key} as at` }))
  const items = types.map((type) => {
    const within = sql`
      and ${key} ${sql.raw(input.order === 'newest' ? '>=' : '<=')} coalesce((select at from page_end), ${sql.raw(`'${endless}'`)})`
    return scanItems(ctx, input, position, { type, columns: columnsOf(input, type), within })
  })
  return sql`
    with space as materialized (select * from ${spaces}),
    page_end as materialized (
      select first.at from space cross join lateral (${sql.join(firsts, ' union all ')}) first
      order by first.at ${descending} ${sql.raw(`offset ${input.limit}`)} limit 1)
    select item.*, space.community_name from space cross join lateral (${sql.join(items, ' union all ')}) item`
}

/** The items of a facet: found among its rows alone, so that only those of the page are read, however many communities have some. */
function pageOfFacet(
  ctx: Ctx,
  input: DeskQueueInput,
  position: ScanStart,
  { facet, types, spaces }: ScannedFacet<DeskQueueInput> & Omit<Parts, 'scanned'>,
): Sql {
  const { order, limit } = input
  const scans = types.map((type) => {
    const held = sql`space.${sql.raw(`${type}s`)} and ${isOpen(type)} ${beyondInFacet(ctx, input, position, type)}`
    return sql`select * from ${rowsOfFacet(facet, type, { order, held, most: limit + 1 })} found`
  })
  const items = types.map(
    (type) => sql`
      select ${columnsOf(input, type)} from review_item i
      where f.subject_type = ${type} and ${isOfType(type)} and i.subject_id = f.subject_id and i.kind = 'held'`,
  )
  return sql`
    select item.*, f.community_name from (
      select f.*, space.community_name from ${spaces} cross join lateral (${sql.join(scans, ' union all ')}) f
      order by ${sql.raw(MERGED[order].replace('queued_at', 'placed_at').replaceAll('item.', 'f.'))} ${atMost(limit + 1)}) f
    cross join lateral (${sql.join(items, ' union all ')}) item`
}

/** Whether the item of a facet's row `f` is open to all reviewers. Uses review_item_pkey. */
const isOpen = (type: HeldType) => sql`not exists (
  select from review_item i
  where ${isOfType(type)} and i.subject_id = f.subject_id and i.kind = 'held' and i.escalated_at is not null)`

/** Conditions on the times and the place of a facet's row `f`. */
function beyondInFacet(ctx: Ctx, input: DeskQueueInput, position: ScanStart, type: HeldType): Sql {
  const key = FACET_KEYS[input.order]
  return sql`${heldBetween(ctx, input, sql`f.placed_at`)} ${heldWithin(ctx, input, sql`f.urgent_at`)}
    ${after(input, position, { key, id: sql`f.subject_id`, type })}`
}

/** Uses review_item_in_community and review_item_by_written, review_item_urgent and those like it, or the index of the filter. */
function scanItems(ctx: Ctx, input: DeskQueueInput, position: ScanStart, { type, columns, within }: ScannedPart): Sql {
  const held = sql`
    space.${sql.raw(`${type}s`)} and ${isInSpace(input)} and ${heldItems(ctx, input, type)}
    ${heldWithin(ctx, input, sql`i.urgent_at`)} ${within ?? sql.empty}
    ${after(input, position, { key: keyOf(input), id: sql`i.subject_id`, type })}`
  const order = inOrder(input.order, { hasDates: hasDates(input), deep: false })
  return scan(input, position, { table: sql`review_item`, columns, held, order })
}

/**
 * All comments on a post are in one community. The planner would take that for two conditions that few comments meet, and read all of
 * both instead of one index in order: a `case` keeps it from expecting that.
 */
function isInSpace({ postId }: DeskQueueInput): Sql {
  const isIn = sql`i.community_id = space.community_id`
  return postId === undefined ? isIn : sql`case when ${isIn} then true else false end`
}

/** The items of a rule, a named queue or a signal, in an order that `review_facet` has for them; what else the filter says is checked item by item. */
function scanItemsOfFacet(
  ctx: Ctx,
  input: DeskQueueInput,
  position: ScanStart,
  { facet, rest, type }: ScannedFacet<DeskQueueInput> & { type: HeldType },
): Sql {
  const { order, limit } = input
  const other = { ...rest, heldForMinutes: undefined, heldUnderMinutes: undefined }
  const held = sql`
    space.${sql.raw(`${type}s`)} and ${heldItems(ctx, other, type)} ${beyondInFacet(ctx, input, position, type)}`
  const most = position.shown.length === 0 ? limit + 1 : position.scanLimit
  const isByScore = order === 'score'
  return scan(input, position, {
    table: itemsOfFacet(facet, type, { order, held, most }),
    columns: columnsOf(input, type),
    held: sql`true`,
    order: isByScore ? sql`i.facet_score desc, i.subject_id` : inOrder(order, { hasDates: false, deep: false }),
  })
}

/**
 * The end in the order of urgency of what has been held for so long, as a target adds only so much to it: the index isn't read beyond. Its beginning
 * isn't known, as severe items come before all others.
 */
function heldWithin(ctx: Ctx, { order, heldForMinutes }: DeskQueueInput, key: Sql): Sql {
  if (order !== 'urgent' || heldForMinutes === undefined) return sql.empty
  const before = (minutes: number) => toUtc(new Date(ctx.now().getTime() - minutes * 60_000))
  return sql`and ${key} <= ${before(heldForMinutes - MOST_TARGET_MINUTES)}`
}

/** As `urgent_at` has it. */
const toUtc = (at: Date) => sql`(${at}::timestamptz at time zone 'UTC')`

/** The columns of an item, with what it is sorted by and its score. */
function columnsOf(input: DeskQueueInput, type: HeldType): Sql {
  return sql`${PENDING_ITEM} ${input.order === 'urgent' ? sql`, ${URGENCY}, i.urgent_at` : sql.empty} ${scoreColumn(input, typeLiteral(type))}`
}

/** What rows are sorted by before their ids, where no facet is scanned. */
function keyOf({ order }: DeskQueueInput): Sql {
  return order === 'urgent' ? sql`i.urgent_at` : sql`i.placed_at`
}

/** Which columns to read, and a condition on what comes after the page. */
interface ScannedPart {
  type: HeldType
  columns: Sql
  within?: Sql
}

interface Scan {
  table: Sql
  columns: Sql
  held: Sql
  order: Sql
}

/** The first rows in order; after large groups, the first that are in none of them, and the last row that was read: its `is_end` is set. */
function scan({ limit }: DeskQueueInput, { shown, scanLimit }: ScanStart, { table, columns, held, order }: Scan): Sql {
  const most = atMost(limit + 1)
  if (shown.length === 0) return sql`(select ${columns} from ${table} i where ${held} order by ${order} ${most})`
  const read = sql`
    select *, row_number() over (order by ${order}) as place
    from ${table} i where ${held} order by ${order} ${atMost(scanLimit)}`
  return sql`(
    select ${columns}, place = ${scanLimit}::int as is_end from (${read}) i
    where i.text_key is null or i.text_key <> all(${shown}::uuid[]) or place = ${scanLimit}::int
    order by ${order} ${most})`
}

interface Columns {
  key: Sql
  id: Sql
  type: SubjectType
}

/** Conditions for rows after the cursor in the list's order: by its time or score, then by id, then comments before posts. */
function after({ order }: DeskQueueInput, { position }: ScanStart, { key, id, type }: Columns): Sql {
  if (position === undefined) return sql.empty
  const later = sql.raw(order === 'newest' || order === 'score' ? '<' : '>')
  const beyond = sql.raw(`${order === 'oldest' ? '<' : '>'}${isAfter(type, position, order) ? '=' : ''}`)
  const at = placeIn(position)
  return sql`and ${key} ${later}= ${at} and (${key} ${later} ${at} or ${id} ${beyond} ${position.subjectId})`
}

function placeIn({ heldAt, urgentAt, score }: Position): Sql {
  if (score !== undefined) return sql`${score}::float8`
  return urgentAt === undefined ? sql`${new Date(heldAt)}` : toUtc(new Date(urgentAt))
}

/** Whether, of two items with the same time and id, the one of this type comes after the position. */
function isAfter(type: SubjectType, { subjectType }: Position, order: QueueOrder): boolean {
  return order === 'oldest' ? type < subjectType : type > subjectType
}
