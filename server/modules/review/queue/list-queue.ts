import { actorHolds, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { NO_PREPARE, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { toCursor } from '#server/core/paging.ts'
import { mayEachInCommunity, mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { SubjectType } from '#server/modules/review/decisions/schema.ts'
import {
  heldBetween,
  heldComments,
  heldPosts,
  idsInView,
  includesComments,
  includesPosts,
  inView,
  isWhole,
} from '#server/modules/review/queue/desk-filter.ts'
import {
  FACET_KEYS,
  itemsOfFacet,
  rowsOfFacet,
  scoreColumn,
  type Walked as WalkedFacet,
  walkedFacet,
} from '#server/modules/review/queue/facets.ts'
import { atMost, HELD_TABLES, type HeldType, hasDates, inOrder, urgentAtOf } from '#server/modules/review/queue/held.ts'
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
import { reviewedSpaces, reviewsIn, reviewsSomewhere } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { DeskQueueInput, QueueItem, QueueOrder, QueuePage } from '#server/modules/review/queue/schema.ts'
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
    ...(order === 'score' && { score: item.score }),
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
    if (order === 'score') return (other.score ?? 0) - (one.score ?? 0) || byKey
    const newestFirst = Date.parse(other.heldAt) - Date.parse(one.heldAt) || byKey
    return order === 'newest' ? newestFirst : -newestFirst
  }
}

const MERGED: Record<QueueOrder, string> = {
  newest: 'item.queued_at desc, item.subject_id, item.subject_type',
  oldest: 'item.queued_at, item.subject_id desc, item.subject_type desc',
  urgent: 'item.urgent_at, item.subject_id, item.subject_type',
  score: 'item.score desc, item.subject_id, item.subject_type',
}

/**
 * Merges one short index scan for each community and type: the work is the page size times the communities, however long the
 * queue is. Reads nothing of a community that the caller does not review.
 */
function readPage(ctx: Ctx, input: DeskQueueInput, position: Walked): Promise<ListedRow[]> {
  const order = sql.raw(MERGED[input.order])
  const types = [
    ...(includesComments(input) ? (['comment'] as const) : []),
    ...(includesPosts(input) ? (['post'] as const) : []),
  ]
  if (types.length === 0) return Promise.resolve([])
  const reviewed = input.communityId === undefined ? sql.empty : sql`and k.community_id = ${input.communityId}`
  const spaces = sql`(
    select k.community_id, ${communityName(sql`k`)}, may.comments, may.posts
    from community k cross join lateral (${mayEachInCommunity(ctx, REVIEWED, sql`k.community_id`)}) may
    where not k.is_deleted and ${actorHolds(ctx)} ${reviewed} offset 0) space`
  const walked = walkedFacet(input, input.order)
  const isAlone = walked !== undefined && isFacetAlone(walked.rest)
  const walkOf = (type: HeldType) =>
    walked ? facetWalk(ctx, input, position, { ...walked, type }) : WALKS[type](ctx, input, position)
  const page =
    isAlone && position.shown.length === 0
      ? pageOfFacet(ctx, input, position, { ...walked, types, spaces })
      : sql`
        select item.*, space.community_name from ${spaces}
        cross join lateral (${sql.join(types.map(walkOf), ' union all ')}) item`
  const shown = { isEscalated: input.view !== 'waiting', isCounted: input.view !== 'escalated', isPlaced: true }
  const sorted = sql`${page} order by ${order} ${atMost(input.limit + 1)}`
  // Where a facet and other conditions leave few, the values of these decide what is read first.
  const planned = walked && !isAlone ? NO_PREPARE : sql.empty
  return query<ListedRow>(ctx, sql`${namedItems(sorted, shown)} order by ${order} ${planned}`)
}

const REVIEWED = { comments: 'reviewComments', posts: 'reviewPosts' } as const
const WALKS = { comment: commentWalk, post: postWalk }

/** Whether the facet's own rows have all that the rest of the filter is about. */
function isFacetAlone(rest: DeskQueueInput): boolean {
  const { communityId: _, kind: __, heldForMinutes: ___, heldUnderMinutes: ____, ...narrowing } = rest
  const { order: _order, limit: _limit, cursor: _cursor, ...filter } = narrowing
  return isWhole(filter)
}

/** The items of a facet: found among its rows alone, so that only those of the page are read, however many communities have some. */
function pageOfFacet(
  ctx: Ctx,
  input: DeskQueueInput,
  position: Walked,
  { facet, rest, types, spaces }: WalkedFacet<DeskQueueInput> & { types: HeldType[]; spaces: Sql },
): Sql {
  const { order, limit } = input
  const walks = types.map((type) => {
    const held = sql`
      space.${sql.raw(`${type}s`)} ${inView(ctx, rest, { type, id: sql`f.subject_id` }, sql`space.community_id`)}
      ${beyondInFacet(ctx, input, position, type)}`
    return sql`select * from ${rowsOfFacet(facet, type, { order, held, most: limit + 1 })} found`
  })
  const items = types.map((type) => {
    const { table, id } = HELD_TABLES[type]
    return sql`select ${columnsOf(input, type)} from ${table} where f.subject_type = ${type}::subject_type and ${id} = f.subject_id`
  })
  return sql`
    select item.*, f.community_name from (
      select f.*, space.community_name from ${spaces} cross join lateral (${sql.join(walks, ' union all ')}) f
      order by ${sql.raw(MERGED[order].replaceAll('item.', 'f.'))} ${atMost(limit + 1)}) f
    cross join lateral (${sql.join(items, ' union all ')}) item`
}

/** Conditions on the times and the place of a facet's row `f`. */
function beyondInFacet(ctx: Ctx, input: DeskQueueInput, position: Walked, type: HeldType): Sql {
  const key = FACET_KEYS[input.order]
  return sql`${heldBetween(ctx, input, sql`f.queued_at`)} ${heldWithin(ctx, input, sql`f.urgent_at`)}
    ${after(input, position, { key, id: sql`f.subject_id`, type })}`
}

/** Uses comment_held and comment_held_by_written, comment_urgent and those like it, or the index of the filter. */
function commentWalk(ctx: Ctx, input: DeskQueueInput, position: Walked): Sql {
  const alias = sql`c`
  const held = sql`
    space.comments and ${isInSpace(input)} and ${heldComments(ctx, input, sql`space.community_id`)}
    ${heldWithin(ctx, input, urgentAtOf(alias))}
    ${after(input, position, { key: keyOf(input, alias), id: sql`c.comment_id`, type: 'comment' })}`
  const order = inOrder(input.order, { hasDates: hasDates(input), deep: false })
  const columns = columnsOf(input, 'comment')
  return walk(input, position, { table: tableOf(ctx, input, 'comment'), alias, columns, held, order })
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
  const alias = sql`p`
  const held = sql`
    space.posts and p.community_id = space.community_id and ${heldPosts(ctx, input, sql`space.community_id`)}
    ${heldWithin(ctx, input, urgentAtOf(alias))}
    ${after(input, position, { key: keyOf(input, alias), id: sql`p.post_id`, type: 'post' })}`
  const columns = columnsOf(input, 'post')
  const order = IN_ORDER[input.order](alias, sql`p.post_id`)
  return walk(input, position, { table: tableOf(ctx, input, 'post'), alias, columns, held, order })
}

const IN_ORDER: Record<QueueOrder, (alias: Sql, id: Sql) => Sql> = {
  newest: (alias, id) => sql`${alias}.queued_at desc, ${id}`,
  oldest: (alias, id) => sql`${alias}.queued_at, ${id} desc`,
  urgent: (alias, id) => sql`${urgentAtOf(alias)}, ${id}`,
  score: (alias, id) => sql`${alias}.facet_score desc, ${id}`,
}

/** The items of a rule, a named queue or a signal, in an order that `held_facet` has for them; what else the filter says is checked item by item. */
function facetWalk(
  ctx: Ctx,
  input: DeskQueueInput,
  position: Walked,
  { facet, rest, type }: WalkedFacet<DeskQueueInput> & { type: HeldType },
): Sql {
  const { order, limit } = input
  const community = sql`space.community_id`
  const { alias, id } = HELD_TABLES[type]
  const other = { ...rest, heldForMinutes: undefined, heldUnderMinutes: undefined }
  const matching =
    type === 'comment'
      ? sql`space.comments and ${heldComments(ctx, other, community)}`
      : sql`space.posts and ${heldPosts(ctx, other, community)}`
  const held = sql`${matching} ${beyondInFacet(ctx, input, position, type)}`
  const most = position.shown.length === 0 ? limit + 1 : position.walkLimit
  return walk(input, position, {
    table: itemsOfFacet(facet, type, { order, held, most }),
    alias,
    columns: columnsOf(input, type),
    held: sql`true`,
    order: IN_ORDER[order](alias, id),
  })
}

/**
 * What follows for an item's urgency from how long it was held, as a sum adds and takes off only so much: the index of the most urgent is
 * read from there, and not through everything that was held before.
 */
function heldWithin(ctx: Ctx, { order, heldForMinutes, heldUnderMinutes }: DeskQueueInput, key: Sql): Sql {
  if (order !== 'urgent') return sql.empty
  const before = (minutes: number) => toUtc(new Date(ctx.now().getTime() - minutes * 60_000))
  const [least, most] = [heldUnderMinutes, heldForMinutes]
  return sql`
    ${least === undefined ? sql.empty : sql`and ${key} > ${before(least + MOST_CREDITED_MINUTES)}`}
    ${most === undefined ? sql.empty : sql`and ${key} <= ${before(most - MOST_TARGET_MINUTES)}`}`
}

/** As `urgent_at` gives it. */
const toUtc = (at: Date) => sql`(${at}::timestamptz at time zone 'UTC')`

/** The columns of an item, with what it is sorted by and its score. */
function columnsOf(input: DeskQueueInput, type: HeldType): Sql {
  const { alias, id } = HELD_TABLES[type]
  const urgency = sql`${urgencyColumns(alias)}, ${urgentAtOf(alias)} as urgent_at`
  return sql`${ITEMS[type]} ${input.order === 'urgent' ? urgency : sql.empty} ${scoreColumn(input, type, id)}`
}

const ITEMS = { comment: COMMENT_ITEM, post: POST_ITEM }

/** What rows are sorted by before their ids, where no facet is walked. */
function keyOf({ order }: DeskQueueInput, alias: Sql): Sql {
  return order === 'urgent' ? urgentAtOf(alias) : sql`${alias}.queued_at`
}

/**
 * The few items of another view, read by their ids first: the planner, which knows the length of a queue on average, would otherwise read all
 * of a long one.
 */
function tableOf(ctx: Ctx, { view }: DeskQueueInput, type: HeldType): Sql {
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
  key: Sql
  id: Sql
  type: SubjectType
}

/** Conditions for rows after the cursor in the list's order: by its time or score, then by id, then comments before posts. */
function after({ order }: DeskQueueInput, { position }: Walked, { key, id, type }: Columns): Sql {
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

/**
 * The names behind the filter's ids; posts and people are named only as far as the caller reviews them. An item of the page names the
 * community; where there is none, it is looked up.
 */
async function readNames(
  ctx: Ctx,
  filter: DeskQueueInput,
  item: QueueItem | undefined,
): Promise<QueuePage['narrowedTo']> {
  const { communityId, postId, authorId, ruleId } = filter
  const [community, post, author, rule] = await Promise.all([
    communityId === undefined ? undefined : (item?.community ?? readReviewedName(ctx, communityId)),
    postId === undefined ? undefined : readPostName(ctx, postId),
    authorId === undefined ? undefined : readAuthorName(ctx, authorId),
    ruleId === undefined ? undefined : readRuleName(ctx, ruleId),
  ])
  return { ...(community && { community }), ...(post && { post }), ...(author && { author }), ...(rule && { rule }) }
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

/** Reviewers know the rules that hold items in their communities; those of the network hold them everywhere. */
function readRuleName(ctx: Ctx, ruleId: string) {
  return queryOne<{ ruleId: string; name: string }>(
    ctx,
    sql`
    select r.rule_id, r.name from rule r
    where r.rule_id = ${ruleId} and case when r.community_id is null then ${reviewsSomewhere(ctx)}
      else ${reviewsIn(ctx, sql`r.community_id`)} end`,
  )
}
