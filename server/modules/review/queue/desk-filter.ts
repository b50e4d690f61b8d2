import type { Ctx } from '#server/core/ctx.ts'
import { foldedContains } from '#server/core/database/like.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { type HeldType, isOfType } from '#server/modules/content/items/held.ts'
import { allOfFacet, facetToScan, typeLiteral, withFacets } from '#server/modules/review/queue/facets.ts'
import { isWritten, matches } from '#server/modules/review/queue/held.ts'
import { type DeskFilter, DeskFilterFields } from '#server/modules/review/queue/schema.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

/** The filter without its community. */
export type Narrowing = Omit<DeskFilter, 'communityId'>

/** The types of held items that the filter includes: with a `postId` comments only. */
export function typesOf({ kind, postId }: Narrowing): HeldType[] {
  if (postId !== undefined) return ['comment']
  return (['comment', 'post'] as const).filter((type) => kind === undefined || kind === type)
}

/** Whether the filter includes everything pending, so that the exact count is known without a query. An order or a limit is no part of it. */
export function includesAllPending(filter: Narrowing): boolean {
  return filter.view === 'waiting' && NARROWING.every((field) => filter[field] === undefined)
}

const NARROWING = Object.keys(DeskFilterFields).filter(
  (field) => !['view', 'timeZone', 'communityId'].includes(field),
) as Exclude<keyof Narrowing, 'view' | 'timeZone'>[]

/** The filter's conditions on a held `review_item i` of one type that is open to all reviewers: escalated items are in a view of their own. */
export function heldItems(ctx: Ctx, filter: Narrowing, type: HeldType): Sql {
  return sql`${isOfType(type)} and ${matches(filter)} and i.escalated_at is null ${narrowed(ctx, filter)} ${withFacets(filter, typeLiteral(type))}`
}

/** The filter's conditions on a `review_item i` of any kind and type. Only held items have facets. */
export function itemsOfAnyKind(ctx: Ctx, { communityId, ...filter }: DeskFilter): Sql {
  const type = filter.postId === undefined ? filter.kind : 'comment'
  const ofHeld = withFacets(filter, sql`i.subject_type`)
  return sql`
    ${communityId === undefined ? sql.empty : sql`and i.community_id = ${communityId}`}
    ${type === undefined ? sql.empty : sql`and i.subject_type = ${type}`}
    ${isWritten(filter)} ${narrowed(ctx, filter)} ${ofHeld === sql.empty ? sql.empty : sql`and i.kind = 'held' ${ofHeld}`}
    ${filter.text === undefined ? sql.empty : sql`and ${mayReadWords(ctx)}`}`
}

/** What is said in conversations is found by their members alone. */
function mayReadWords(ctx: Ctx): Sql {
  return sql`(i.channel_id is null or exists (
    select from channel c where c.channel_id = i.channel_id and (c.type <> 'conversation' or ${mayReadChannel(ctx)})))`
}

function narrowed(ctx: Ctx, filter: Narrowing): Sql {
  return sql`
    ${filter.authorId === undefined ? sql.empty : sql`and i.author_id = ${filter.authorId}`}
    ${filter.text === undefined ? sql.empty : sql`and ${foldedContains(sql`item_words(i.title, i.text)`, filter.text)}`}
    ${filter.hasMedia ? sql`and i.data_types && array['image', 'video']` : sql.empty}
    ${filter.isFlagged ? sql`and i.flag_count > 0` : sql.empty}
    ${heldBetween(ctx, filter, sql`i.placed_at`)}`
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

/** Which were held within so many minutes, or longer ago, by a column of times. */
export function heldBetween(ctx: Ctx, { heldForMinutes, heldUnderMinutes }: Narrowing, column: Sql): Sql {
  const before = (minutes: number) => new Date(ctx.now().getTime() - minutes * 60_000)
  return sql`
    ${heldForMinutes === undefined ? sql.empty : sql`and ${column} <= ${before(heldForMinutes)}`}
    ${heldUnderMinutes === undefined ? sql.empty : sql`and ${column} > ${before(heldUnderMinutes)}`}`
}
