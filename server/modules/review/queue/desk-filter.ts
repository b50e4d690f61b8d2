import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { withinDays } from '#server/core/within-days.ts'
import { allOfFacet, facetToScan, withFacets } from '#server/modules/review/queue/facets.ts'
import { matches } from '#server/modules/review/queue/held.ts'
import type { DeskFilter } from '#server/modules/review/queue/schema.ts'

/** A pending post: a condition on `post p`, worded exactly as the partial index is. */
export const IS_HELD_POST = sql`p.feed_type = 'reviewing' and not p.is_deleted and p.parent_post_id is null`

/** The filter without its community. */
export type Narrowing = Omit<DeskFilter, 'communityId'>

/** Whether the filter includes comments, and posts: with a `postId` it includes comments only. */
export const includesComments = ({ kind, postId }: Narrowing): boolean =>
  kind === undefined || kind === 'comment' || postId !== undefined
export const includesPosts = ({ kind, postId }: Narrowing): boolean =>
  (kind === undefined || kind === 'post') && postId === undefined

/** Whether the filter includes everything pending, so that the exact count is known without a query. */
export function isWhole(filter: Narrowing): boolean {
  const { view, timeZone: _, ...narrowing } = filter
  return view === 'waiting' && Object.values(narrowing).every((value) => value === undefined)
}

/** The filter's conditions on a held comment `c` of the community in the given column. */
export function heldComments(ctx: Ctx, filter: Narrowing, communityColumn: Sql): Sql {
  return sql`${matches(filter)}
    ${inView(ctx, filter, { type: 'comment', id: sql`c.comment_id` }, communityColumn)}
    ${by(filter.authorId, sql`c.user_id`)} ${saying(filter.text, sql`c.data ->> 'text'`)}
    ${filter.hasMedia ? sql`and c.data_types && array['image', 'video']` : sql.empty}
    ${filter.isFlagged ? sql`and c.flag_count > 0` : sql.empty}
    ${heldBetween(ctx, filter, sql`c.queued_at`)} ${withFacets(filter, 'comment', sql`c.comment_id`)}`
}

/** The same for a held post `p`. Its images and videos are posts of their own below it (post_held_media). */
export function heldPosts(ctx: Ctx, filter: Narrowing, communityColumn: Sql): Sql {
  return sql`${IS_HELD_POST} ${withinDays(filter, sql`p.created_at`)}
    ${inView(ctx, filter, { type: 'post', id: sql`p.post_id` }, communityColumn)}
    ${by(filter.authorId, sql`p.posted_user_id`)} ${saying(filter.text, sql`post_words(p.data)`)}
    ${
      filter.hasMedia
        ? sql`and p.post_id in (
          select coalesce(media.parent_post_id, media.post_id) from post media
          where media.community_id = ${communityColumn} and media.feed_type = 'reviewing' and not media.is_deleted
            and media.data_type in ('image', 'video'))`
        : sql.empty
    }
    ${filter.isFlagged ? sql`and p.flag_count > 0` : sql.empty}
    ${heldBetween(ctx, filter, sql`p.queued_at`)} ${withFacets(filter, 'post', sql`p.post_id`)}`
}

/** What to count: a statement that selects the held comments or posts that match, in the communities of the column, up to a limit. */
export function matchingHeld(
  ctx: Ctx,
  filter: Narrowing,
  type: 'comment' | 'post',
  { communityColumn, limit }: { communityColumn: Sql; limit: Sql },
): Sql {
  const scanned = facetToScan(filter)
  const rest = scanned?.rest ?? filter
  const [table, held] =
    type === 'comment'
      ? [sql`comment c`, sql`c.community_id = ${communityColumn} and ${heldComments(ctx, rest, communityColumn)}`]
      : [sql`post p`, sql`p.community_id = ${communityColumn} and ${heldPosts(ctx, rest, communityColumn)}`]
  const from = scanned ? allOfFacet(scanned.facet, type, communityColumn) : table
  return sql`(select from ${from} where ${held} ${limit})`
}

/** Whether an item, by its id, is in the view: conditions for a statement about held items. */
export function inView(
  ctx: Ctx,
  { view }: Narrowing,
  { type, id }: { type: 'comment' | 'post'; id: Sql },
  communityColumn: Sql,
): Sql {
  const ids = idsInView(ctx, view, type, communityColumn)
  return ids
    ? sql`and ${id} = any(array(${ids}))`
    : sql`and not exists (
        select from escalation e
        where e.subject_type = ${type}::subject_type and e.subject_id = ${id} and e.closed_at is null)`
}

/**
 * The ids of what is escalated in a community, or claimed by the caller there, escalated or not: there are few, so they are looked up by id.
 * Undefined for the other views. Uses escalation_open_in, comment_claimed and post_claimed.
 */
export function idsInView(
  ctx: Ctx,
  view: Narrowing['view'],
  type: 'comment' | 'post',
  communityColumn: Sql,
): Sql | undefined {
  if (view === 'mine') return sql`${claimedByCaller(ctx, type)} and mine.community_id = ${communityColumn}`
  if (view !== 'escalated') return undefined
  return sql`
    select e.subject_id from escalation e
    where e.community_id = ${communityColumn} and e.subject_type = ${type}::subject_type and e.closed_at is null`
}

/** The ids of what the caller has claimed, whatever has become of it. Uses comment_claimed and post_claimed. */
export function claimedByCaller(ctx: Ctx, type: 'comment' | 'post'): Sql {
  const [id, table] = type === 'comment' ? [sql`comment_id`, sql`comment`] : [sql`post_id`, sql`post`]
  return sql`
    select mine.${id} from ${table} mine
    where mine.claimed_by = ${actingUserId(ctx) ?? null} and mine.claimed_until > ${ctx.now()}`
}

function by(authorId: string | undefined, column: Sql): Sql {
  return authorId === undefined ? sql.empty : sql`and ${column} = ${authorId}`
}

/** Uses comment_held_text and post_held_text if few items match. */
function saying(words: string | undefined, text: Sql): Sql {
  return words === undefined ? sql.empty : sql`and ${containsFolded(text, words)}`
}

/** Which were held within so many minutes, or longer ago, by a column of times. */
export function heldBetween(ctx: Ctx, { heldForMinutes, heldUnderMinutes }: Narrowing, column: Sql): Sql {
  const before = (minutes: number) => new Date(ctx.now().getTime() - minutes * 60_000)
  return sql`
    ${heldForMinutes === undefined ? sql.empty : sql`and ${column} <= ${before(heldForMinutes)}`}
    ${heldUnderMinutes === undefined ? sql.empty : sql`and ${column} > ${before(heldUnderMinutes)}`}`
}
