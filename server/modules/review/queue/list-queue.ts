import { actorHolds, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { toCursor } from '#server/core/paging.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import {
  heldComments,
  heldPosts,
  idsInView,
  wantsComments,
  wantsPosts,
} from '#server/modules/review/queue/desk-filter.ts'
import { atMost, hasDates, inOrder, urgentAtOf } from '#server/modules/review/queue/held.ts'
import { listReports } from '#server/modules/review/queue/list-reports.ts'
import { type Position, positionOf } from '#server/modules/review/queue/position.ts'
import {
  COMMENT_ITEM,
  communityName,
  type ItemRow,
  namedItems,
  POST_ITEM,
  titleOf,
  toQueueItem,
  urgencyColumns,
} from '#server/modules/review/queue/queue-item.ts'
import { isMixedView, listReportsInView } from '#server/modules/review/queue/reports-in-view.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import {
  type DeskQueueInput,
  type QueueItem,
  type QueueOrder,
  type QueuePage,
  SubjectType,
} from '#server/modules/review/queue/schema.ts'
import { MOST_CREDITED_MINUTES, MOST_TARGET_MINUTES, urgentAt } from '#server/modules/review/urgency/schema.ts'

/**
 * The desk's queue: pending comments and posts of one community, or of all that the caller reviews, by the time they were held or the most
 * urgent first, paged by cursor; `listReports` lists reported items. Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the
 * caller does not review, INVALID_PARAMETERS for an invalid cursor.
 */
export async function listDeskQueue(
  ctx: Ctx,
  input: DeskQueueInput,
  { walkLimit = WALK_LIMIT } = {},
): Promise<QueuePage> {
  if (input.view === 'reported') return listReports(ctx, input)
  const position = positionOf(input)
  const shown = position?.shown ?? []
  const { view } = input
  const [rows, reports] = await Promise.all([
    readPage(ctx, input, { position, shown, walkLimit }),
    isMixedView(view) ? listReportsInView(ctx, { ...input, view }) : [],
  ])
  if (rows.length + reports.length === 0) ensureLookedUp(ctx)

  const { items, last } = withReports(input, pageOf(ctx, input, shown, rows), reports)
  return {
    items,
    ...(last && { next: toCursor({ ...placeOf(input, last), ...withShown(shown, items) }) }),
    narrowedTo: await readNames(ctx, input, items[0]),
  }
}

function placeOf({ order }: DeskQueueInput, item: QueueItem): Position {
  const { heldAt, subjectType, subjectId } = item
  return {
    heldAt,
    subjectType,
    subjectId,
    ...(order === 'urgent' && { urgentAt: new Date(urgentAt(item)).toISOString() }),
  }
}

/** The most rows that a walk reads to find those of other groups. */
const WALK_LIMIT = 20_000

interface Walked {
  position: Position | undefined
  /** The keys of groups that are left out. */
  shown: string[]
  walkLimit: number
}

/** `isEnd`: its walk ended there, and what comes after it is not known. */
type ListedRow = ItemRow & { isEnd?: boolean }

/** The items of a page, and the one after which the next page starts, if there is one. */
interface Page {
  items: QueueItem[]
  last: QueueItem | undefined
}

function pageOf(ctx: Ctx, { limit }: DeskQueueInput, shown: string[], rows: ListedRow[]): Page {
  const end = rows.findIndex(({ isEnd }) => isEnd)
  const known = end === -1 ? rows : rows.slice(0, end + 1)
  const listed = known.filter(({ textKey }) => textKey === null || !shown.includes(textKey)).slice(0, limit)
  const isMore = end !== -1 || rows.length > limit
  const last = listed.length === limit ? listed.at(-1) : known.at(-1)
  return {
    items: listed.map((row) => toQueueItem(ctx, row)),
    last: isMore && last ? toQueueItem(ctx, last) : undefined,
  }
}

/** From this size on, the rest of a group is left out of later pages; that of a smaller one is folded by the desk. */
const LARGE_GROUP = 20
const LARGEST_KEPT = 5

function withShown(shown: string[], items: QueueItem[]): { shown?: string[] } {
  const large = items.flatMap(({ alike }) => (alike && alike.count >= LARGE_GROUP ? alike : []))
  const keys = new Set([...shown, ...large.sort((a, b) => b.count - a.count).map(({ key }) => key)])
  return keys.size === 0 ? {} : { shown: [...keys].slice(0, LARGEST_KEPT) }
}

/** Held items and reports together, up to the item after which the next page of either starts. */
function withReports({ limit, order }: DeskQueueInput, held: Page, reports: QueueItem[]): Page {
  const compare = byPosition(order)
  const { last } = held
  const known = last ? reports.filter((report) => compare(report, last) < 0) : reports
  const found = [...held.items, ...known].sort(compare)
  const items = found.slice(0, limit)
  return { items, last: found.length > limit ? items.at(-1) : last }
}

/** The order of the statements below, for items of both. */
function byPosition(order: QueueOrder): (one: QueueItem, other: QueueItem) => number {
  const key = ({ subjectId, subjectType }: QueueItem) => [subjectId, SubjectType.options.indexOf(subjectType)] as const
  return (one, other) => {
    const [[id, type], [otherId, otherType]] = [key(one), key(other)]
    const byId = id < otherId ? -1 : 1
    const byKey = id === otherId ? type - otherType : byId
    if (order === 'urgent') return urgentAt(one) - urgentAt(other) || byKey
    const newestFirst = Date.parse(other.heldAt) - Date.parse(one.heldAt) || byKey
    return order === 'newest' ? newestFirst : -newestFirst
  }
}

const MERGED: Record<QueueOrder, string> = {
  newest: 'item.queued_at desc, item.subject_id, item.subject_type',
  oldest: 'item.queued_at, item.subject_id desc, item.subject_type desc',
  urgent: 'item.urgent_at, item.subject_id, item.subject_type',
}

/**
 * Merges one short index scan for each community and type: the work is the page size times the communities, however long the
 * queue is. Reads nothing of a community that the caller does not review.
 */
function readPage(ctx: Ctx, input: DeskQueueInput, position: Walked): Promise<ListedRow[]> {
  const order = sql.raw(MERGED[input.order])
  const walks = [
    ...(wantsComments(input) ? [commentWalk(ctx, input, position)] : []),
    ...(wantsPosts(input) ? [postWalk(ctx, input, position)] : []),
  ]
  if (walks.length === 0) return Promise.resolve([])
  const reviewed = input.communityId === undefined ? sql.empty : sql`and k.community_id = ${input.communityId}`
  const page = sql`
    select item.*, space.community_name from (
      select k.community_id, ${communityName(sql`k`)}, ${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)} as comments,
        ${mayInCommunity(ctx, 'reviewPosts', sql`k.community_id`)} as posts
      from community k where not k.is_deleted and ${actorHolds(ctx)} ${reviewed} offset 0) space
    cross join lateral (${sql.join(walks, ' union all ')}) item
    order by ${order} ${atMost(input.limit + 1)}`
  const shown = { isEscalated: input.view !== 'waiting', isCounted: input.view !== 'escalated', isPlaced: true }
  return query<ListedRow>(ctx, sql`${namedItems(page, shown)} order by ${order}`)
}

/** Uses comment_held and comment_held_by_written, comment_urgent and those like it, or the index of the filter. */
function commentWalk(ctx: Ctx, input: DeskQueueInput, position: Walked): Sql {
  const held = sql`
    space.comments and ${isInSpace(input)} and ${heldComments(ctx, input, sql`space.community_id`)}
    ${heldWithin(ctx, input, sql`c`)} ${after(input, position, { alias: sql`c`, id: sql`c.comment_id`, type: 'comment' })}`
  // Those on one post have no index by dates in the order of urgency: they are read in that order, or sorted where the dates leave few.
  const isOnPost = input.order === 'urgent' && input.postId !== undefined
  const order = inOrder(input.order, { hasDates: hasDates(input) && !isOnPost, deep: false })
  return walk(input, position, {
    table: tableOf(ctx, input, 'comment'),
    alias: sql`c`,
    columns: inItsOrder(input, sql`c`, COMMENT_ITEM),
    held,
    order,
  })
}

/**
 * All comments on a post are in one community. The planner would take that for two conditions that few comments meet, and read all of
 * both instead of one index in order: a `case` keeps it from expecting that.
 */
function isInSpace({ postId }: DeskQueueInput): Sql {
  const isIn = sql`c.community_id = space.community_id`
  return postId === undefined ? isIn : sql`case when ${isIn} then true else false end`
}

/** Uses post_held, post_urgent, or the index of the filter. */
function postWalk(ctx: Ctx, input: DeskQueueInput, position: Walked): Sql {
  const held = sql`
    space.posts and p.community_id = space.community_id and ${heldPosts(ctx, input, sql`space.community_id`)}
    ${heldWithin(ctx, input, sql`p`)} ${after(input, position, { alias: sql`p`, id: sql`p.post_id`, type: 'post' })}`
  const columns = inItsOrder(input, sql`p`, POST_ITEM)
  const order = POSTS_IN_ORDER[input.order]
  return walk(input, position, { table: tableOf(ctx, input, 'post'), alias: sql`p`, columns, held, order })
}

const POSTS_IN_ORDER: Record<QueueOrder, Sql> = {
  newest: sql`p.queued_at desc, p.post_id`,
  oldest: sql`p.queued_at, p.post_id desc`,
  urgent: sql`${urgentAtOf(sql`p`)}, p.post_id`,
}

/**
 * What follows for an item's urgency from how long it was held, as a sum adds and takes off only so much: the index of the most urgent is
 * read from there, and not through everything that was held before.
 */
function heldWithin(ctx: Ctx, { order, heldForMinutes, heldUnderMinutes }: DeskQueueInput, alias: Sql): Sql {
  if (order !== 'urgent') return sql.empty
  const before = (minutes: number) => toUtc(new Date(ctx.now().getTime() - minutes * 60_000))
  const [least, most] = [heldUnderMinutes, heldForMinutes]
  return sql`
    ${least === undefined ? sql.empty : sql`and ${urgentAtOf(alias)} > ${before(least + MOST_CREDITED_MINUTES)}`}
    ${most === undefined ? sql.empty : sql`and ${urgentAtOf(alias)} <= ${before(most - MOST_TARGET_MINUTES)}`}`
}

/** As `urgent_at` gives it. */
const toUtc = (at: Date) => sql`(${at}::timestamptz at time zone 'UTC')`

/** The columns of an item, with what it is sorted by. */
function inItsOrder({ order }: DeskQueueInput, alias: Sql, columns: Sql): Sql {
  return order === 'urgent' ? sql`${columns} ${urgencyColumns(alias)}, ${urgentAtOf(alias)} as urgent_at` : columns
}

/**
 * The few items of another view, read by their ids first: the planner, which knows the length of a queue on average, would otherwise read all
 * of a long one.
 */
function tableOf(ctx: Ctx, { view }: DeskQueueInput, type: 'comment' | 'post'): Sql {
  const [table, id] = type === 'comment' ? [sql`comment`, sql`comment_id`] : [sql`post`, sql`post_id`]
  const ids = idsInView(ctx, view, type, sql`space.community_id`)
  return ids ? sql`(select * from ${table} where ${id} = any(array(${ids})) offset 0)` : table
}

interface Walk {
  table: Sql
  alias: Sql
  columns: Sql
  held: Sql
  order: Sql
}

/** The first rows in order; after large groups, the first that are in none of them, and the last row that was read: its `is_end` is set. */
function walk(
  { limit }: DeskQueueInput,
  { shown, walkLimit }: Walked,
  { table, alias, columns, held, order }: Walk,
): Sql {
  const most = atMost(limit + 1)
  if (shown.length === 0) return sql`(select ${columns} from ${table} ${alias} where ${held} order by ${order} ${most})`
  const read = sql`
    select *, row_number() over (order by ${order}) as place
    from ${table} ${alias} where ${held} order by ${order} ${atMost(walkLimit)}`
  return sql`(
    select ${columns}, place = ${walkLimit}::int as is_end from (${read}) ${alias}
    where ${alias}.text_key is null or ${alias}.text_key <> all(${shown}::uuid[]) or place = ${walkLimit}::int
    order by ${order} ${most})`
}

interface Columns {
  alias: Sql
  id: Sql
  type: SubjectType
}

/** Conditions for rows after the cursor in the list's order: by its time, then by id, then comments before posts. */
function after({ order }: DeskQueueInput, { position }: Walked, { alias, id, type }: Columns): Sql {
  if (position === undefined) return sql.empty
  const time = order === 'urgent' ? urgentAtOf(alias) : sql`${alias}.queued_at`
  const at = position.urgentAt ? toUtc(new Date(position.urgentAt)) : sql`${new Date(position.heldAt)}`
  const later = sql.raw(order === 'newest' ? '<' : '>')
  const beyond = sql.raw(`${order === 'oldest' ? '<' : '>'}${isAfter(type, position, order) ? '=' : ''}`)
  return sql`and ${time} ${later}= ${at} and (${time} ${later} ${at} or ${id} ${beyond} ${position.subjectId})`
}

/** Whether, of two items with the same time and id, the one of this type comes after the position. */
function isAfter(type: SubjectType, { subjectType }: Position, order: QueueOrder): boolean {
  return order === 'oldest' ? type < subjectType : type > subjectType
}

/**
 * The names behind the filter's ids; posts and people are named only as far as the caller reviews them. An item of the page names the
 * community; where there is none, it is looked up.
 */
async function readNames(
  ctx: Ctx,
  filter: DeskQueueInput,
  item: QueueItem | undefined,
): Promise<QueuePage['narrowedTo']> {
  const { communityId, postId, authorId } = filter
  const [community, post, author] = await Promise.all([
    communityId === undefined ? undefined : (item?.community ?? readReviewedName(ctx, communityId)),
    postId === undefined ? undefined : readPostName(ctx, postId),
    authorId === undefined ? undefined : readAuthorName(ctx, authorId),
  ])
  return { ...(community && { community }), ...(post && { post }), ...(author && { author }) }
}

/** Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the caller does not review. */
async function readReviewedName(ctx: Ctx, communityId: string) {
  const [space] = await reviewedSpaces(ctx, communityId)
  return space && { communityId, displayName: space.displayName }
}

const TITLE_LENGTH = 80

async function readPostName(ctx: Ctx, postId: string) {
  const post = await queryOne<{ data: Record<string, unknown> | null }>(
    ctx,
    sql`
    select data from post where post_id = ${postId}
      and ${mayInCommunity(ctx, 'reviewComments', sql`post.community_id`)}`,
  )
  return post && { postId, title: titleOf(post) ?? (textOf(post).slice(0, TITLE_LENGTH) || postId) }
}

async function readAuthorName(ctx: Ctx, userId: string) {
  const author = await queryOne<{ userId: string; displayName: string | null }>(
    ctx,
    sql`
    select u.user_id, u.display_name from network_user u
    where u.user_id = ${userId} and (
      exists (select from comment c where c.user_id = u.user_id and c.approval_status is not null
        and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)})
      or exists (select from post p where p.posted_user_id = u.user_id
        and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}))`,
  )
  return author && { userId, displayName: nameOf(author) }
}
