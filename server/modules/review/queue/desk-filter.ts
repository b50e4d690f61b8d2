import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { foldedContains } from '#server/core/database/like.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { type HeldType, isOfType } from '#server/modules/content/items/held.ts'
import { allOfFacet, facetToScan, withFacets } from '#server/modules/review/queue/facets.ts'
import { matches } from '#server/modules/review/queue/held.ts'
import { type DeskFilter, DeskFilterFields } from '#server/modules/review/queue/schema.ts'

/** The filter without its community. */
export type Narrowing = Omit<DeskFilter, 'communityId'>

/** The types of held items that the filter includes: with a `postId` comments only. */
export function typesOf({ kind, postId }: Narrowing): HeldType[] {
  if (postId !== undefined) return ['comment']
  return (['comment', 'post'] as const).filter((type) => kind === undefined || kind === type)
}

/** Whether the filter includes everything pending, so that the exact count is known without a query. An order or a limit is no part of it. */
export function isWhole(filter: Narrowing): boolean {
  return filter.view === 'waiting' && NARROWING.every((field) => filter[field] === undefined)
}

const NARROWING = Object.keys(DeskFilterFields).filter(
  (field) => !['view', 'timeZone', 'communityId'].includes(field),
) as Exclude<keyof Narrowing, 'view' | 'timeZone'>[]

/** The filter's conditions on a held `review_item i` of one type. */
export function heldItems(ctx: Ctx, filter: Narrowing, type: HeldType): Sql {
  return sql`${isOfType(type)} and ${matches(filter)} ${inView(ctx, filter)}
    ${filter.authorId === undefined ? sql.empty : sql`and i.author_id = ${filter.authorId}`}
    ${filter.text === undefined ? sql.empty : sql`and ${foldedContains(sql`item_words(i.title, i.text)`, filter.text)}`}
    ${filter.hasMedia ? sql`and i.data_types && array['image', 'video']` : sql.empty}
    ${filter.isFlagged ? sql`and i.flag_count > 0` : sql.empty}
    ${heldBetween(ctx, filter, sql`i.placed_at`)} ${withFacets(filter, type, sql`i.subject_id`)}`
}

/** What to count: a statement that selects the held items of a type that match, in the communities of the column, up to a limit. */
export function matchingHeld(
  ctx: Ctx,
  filter: Narrowing,
  type: HeldType,
  { communityColumn, limit }: { communityColumn: Sql; limit: Sql },
): Sql {
  const scanned = facetToScan(filter)
  const held = heldItems(ctx, scanned?.rest ?? filter, type)
  return scanned
    ? sql`(select from ${allOfFacet(scanned.facet, type, communityColumn)} where ${held} ${limit})`
    : sql`(select from review_item i where i.community_id = ${communityColumn} and ${held} ${limit})`
}

/** Whether the held item `i` is in the view: escalated items are in a view of their own, and in that of the caller's claims. */
function inView(ctx: Ctx, { view }: Narrowing): Sql {
  if (view === 'mine') return sql`and ${isMine(ctx)}`
  return view === 'escalated' ? sql`and i.escalated_at is not null` : sql`and i.escalated_at is null`
}

/** Whether the caller's claim of `i` is in force. */
export const isMine = (ctx: Ctx): Sql =>
  sql`i.claimed_by = ${actingUserId(ctx) ?? null} and i.claimed_until > ${ctx.now()}`

/** Which were held within so many minutes, or longer ago, by a column of times. */
export function heldBetween(ctx: Ctx, { heldForMinutes, heldUnderMinutes }: Narrowing, column: Sql): Sql {
  const before = (minutes: number) => new Date(ctx.now().getTime() - minutes * 60_000)
  return sql`
    ${heldForMinutes === undefined ? sql.empty : sql`and ${column} <= ${before(heldForMinutes)}`}
    ${heldUnderMinutes === undefined ? sql.empty : sql`and ${column} > ${before(heldUnderMinutes)}`}`
}
