import type { Ctx } from '#server/core/ctx.ts'
import { execute, listOf, query, type Sql, sql } from '#server/core/db.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { type HeldType, isOfType } from '#server/modules/content/items/held.ts'
import { lockPlaces } from '#server/modules/content/items/lock-items.ts'
import { IS_GONE, IS_PLACE_GONE } from '#server/modules/content/items/place.ts'
import { textBandsOf } from '#server/modules/content/items/text-bands.ts'
import { textKeyOf } from '#server/modules/content/items/text-key.ts'
import { keptTexts } from '#server/modules/ledger/evidence/keep-texts.ts'
import type { SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import { SEVERITY_MINUTES } from '#server/modules/rules/severity/schema.ts'

/**
 * Brings the held items of comments or posts in line with their rows, with the rules that fired on them and with their scores: what is pending, what
 * became of it, what it says, how urgent it is and what it can be found by; counts what came and went in its community, and takes comments out of the
 * queue with their post. Call it in the transaction of any change to one of these, after it, with the row locked. What was never held or rejected has
 * no item, nor has an attachment; of messages and people nothing is held.
 */
export async function putItems(ctx: Ctx, type: SubjectType, ids: string[]): Promise<void> {
  if (!isHeldType(type) || ids.length === 0) return
  if (type === 'comment') await lockPlaces(ctx, ids)
  const content = CONTENT[type](sql`any(${ids}::text[])`)
  const keyless = await query<Keyless>(ctx, selectKeyless(type, content))
  await execute(ctx, put(ctx, type, content, await keysOf(type, keyless)))
  if (type === 'post') await putKeys(ctx, 'comment', await query<Keyless>(ctx, putOnPosts(ctx, ids)))
}

/**
 * The posts that some of these are attached to, locked. Their items have the types of attachments: put them after attachments come or go for good, and
 * lock them before these, as decisions do.
 */
export async function lockPostsOf(ctx: Ctx, attachmentIds: string[]): Promise<string[]> {
  const posts = await query<{ postId: string }>(
    ctx,
    sql`
    select post_id from post where post_id in (select parent_post_id from post where post_id = any(${attachmentIds}::text[]))
    order by post_id for no key update`,
  )
  return posts.map(({ postId }) => postId)
}

/** Deletes the items of what was erased. */
export async function eraseItems(ctx: Ctx, type: SubjectType, ids: string[]): Promise<void> {
  if (!isHeldType(type)) return
  await execute(
    ctx,
    sql`
    with facets as (delete from review_facet where subject_type = ${type} and subject_id = any(${ids}::text[])),
    item as (
      delete from review_item where subject_type = ${type} and subject_id = any(${ids}::text[]) and kind = 'held' returning community_id, state),
    ${countHeld(type, sql`select community_id, -1 as change from item where state = 'waiting'`)}
    select`,
  )
}

/**
 * The held items of what was approved or rejected, as part of the statement that decides: `moved` has its `version`, and where several are decided their
 * `subject_id`.
 */
export function decidedItems(ctx: Ctx, { subjectType, subjectId, outcome }: DecidedItems): Sql {
  const ofThese = sql`i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and i.kind = 'held' and ${outcome} in ('approved', 'rejected')`
  return sql`
    decided_item as (
      update review_item i set state = ${outcome}, version = moved.version, closed_at = ${ctx.now()}
      from moved where ${ofThese}
      returning i.subject_type, i.subject_id),
    ${countHeld(subjectType, sql`select i.community_id, -1 as change from review_item i cross join moved where ${ofThese} and i.state = 'waiting'`)},
    decided_facets as (
      delete from review_facet f using decided_item
      where f.subject_type = decided_item.subject_type and f.subject_id = decided_item.subject_id)`
}

interface DecidedItems {
  subjectType: string
  subjectId: Sql
  outcome: string
}

/** The title or the text, where the data has one. */
const said = (row: string, key: 'title' | 'text') =>
  sql.raw(`case jsonb_typeof(${row}.data -> '${key}') when 'string' then ${row}.data ->> '${key}' end`)

/** Counts pending comments or posts into their communities, by how many came and went. */
function countHeld(type: string, changes: Sql): Sql {
  return sql`
    held_count as (
      insert into tally_delta (kind, subject_id, delta)
      select ${type === 'post' ? 'held_posts' : 'held_comments'}::tally_kind, community_id, sum(change)
      from (${changes}) changed where community_id is not null
      group by community_id having sum(change) <> 0)`
}

const isHeldType = (type: SubjectType): type is HeldType => type in CONTENT

/** What the rows of comments and posts say of their items. */
const CONTENT: Record<HeldType, (ids: Sql) => Sql> = {
  comment: (ids) => sql`
    select c.comment_id as subject_id, c.community_id, case c.reference_type when 'post' then c.reference_id end as post_id, c.user_id as author_id,
      case when c.approval_status <> 'pending' then c.approval_status::text when c.is_deleted then 'withdrawn'
        when ${IS_PLACE_GONE} then 'orphaned' else 'waiting' end as state,
      c.version, null::text as title, ${said('c', 'text')} as text, c.data_types, c.parent_id is not null as is_reply, c.created_at, c.queued_at,
      c.updated_at, c.flag_count, p.reach
    from comment c left join post p on p.post_id = c.reference_id and c.reference_type = 'post'
    where c.comment_id = ${ids} and c.approval_status is not null`,
  post: (ids) => sql`
    select p.post_id as subject_id, p.community_id, null::text as post_id, p.posted_user_id as author_id,
      case when p.feed_type = 'published' then 'approved' when p.feed_type = 'declined' then 'rejected' when p.is_deleted then 'withdrawn'
        else 'waiting' end as state,
      p.version, ${said('p', 'title')} as title, ${said('p', 'text')} as text,
      array(select distinct child.data_type from post child where child.parent_post_id = p.post_id and child.data_type is not null)
        || coalesce(p.data_type, 'text') as data_types,
      false as is_reply, p.created_at, p.queued_at, p.updated_at, p.flag_count, p.reach
    from post p
    where p.post_id = ${ids} and p.parent_post_id is null
      and (p.queued_at is not null or p.feed_type = 'declined')`,
}

/** The minutes of the most severe rule that has held it since it was placed in the queue. Uses rule_match_subject_type_subject_id_rule_id_key. */
function ruleMinutes(type: HeldType): Sql {
  const severity = sql`${JSON.stringify(SEVERITY_MINUTES)}::jsonb ->> coalesce(v.action ->> 'severity', 'medium')`
  return sql`(
    select max((${severity})::smallint)
    from rule_match m join rule_version v on v.rule_id = m.rule_id and v.version = m.version and v.action ->> 'type' = 'hold'
    where m.subject_type = ${type}::subject_type and m.subject_id = c.subject_id and m.is_live and m.created_at >= c.queued_at)`
}

/** Keeps the column until the item is held again: its target and its reach count as of when it was held. */
const keptWhileHeld = (column: string) =>
  sql.raw(
    `${column} = case when excluded.placed_at is not distinct from item.placed_at then item.${column} else excluded.${column} end`,
  )

/** Whether two rows say the same, and were placed at the same time: then what is found by the text stays as it is. */
const isSameText = (one: string, other: string) =>
  sql.raw(`(${one}.title, ${one}.text, ${one}.data_types, ${one}.placed_at) is not distinct from
    (${other}.title, ${other}.text, ${other}.data_types, ${other}.placed_at)`)

/** Keeps the column while the text stays, unless it comes with a new one. */
const keptWithText = (column: string) =>
  sql`${sql.raw(`${column} = coalesce(excluded.${column}`)}, case when ${isSameText('excluded', 'item')} then ${sql.raw(`item.${column}`)} end)`

interface Keyless {
  subjectId: string
  communityId: string | null
  title: string | null
  text: string | null
  dataTypes: string[]
  placedAt: Date
}

/** Those of the content that are pending, and whose text has no key yet. */
function selectKeyless(type: HeldType, content: Sql): Sql {
  return sql`
    with content as (select subject_id, community_id, state, title, text, data_types, queued_at as placed_at from (${content}) c)
    select c.subject_id, c.community_id, c.title, c.text, c.data_types, c.placed_at from content c
    where c.state = 'waiting' and c.placed_at is not null and not exists (
      select from review_item i where i.subject_type = ${type} and i.subject_id = c.subject_id and i.kind = 'held' and i.text_key is not null
        and ${isSameText('c', 'i')})`
}

/** Puts the items with these keys, and their facets. What is held again isn't escalated. */
function put(ctx: Ctx, type: HeldType, content: Sql, keys: Sql): Sql {
  return sql`
    with content as (${content}), keyed as (${keys}),
    ${keptTexts(ctx, { type, kind: 'held', now: sql`select subject_id, title, text from content` })},
    item as (
      insert into review_item as item (kind, subject_type, subject_id, community_id, post_id, author_id, state, version, title, text, data_types, is_reply,
        written_at, opened_at, placed_at, closed_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count, text_key, text_bands)
      select 'held', ${type}, c.subject_id, c.community_id, c.post_id, c.author_id, c.state, c.version, c.title, c.text, c.data_types, c.is_reply,
        c.created_at, c.queued_at, c.queued_at, case when c.state <> 'waiting' then c.updated_at end,
        (select t.within_minutes from service_target t where t.community_id = c.community_id), ${ruleMinutes(type)},
        (select signal_urgency(max(s.score)) from signal s where s.subject_type = ${type}::subject_type and s.subject_id = c.subject_id),
        coalesce(reach_urgency(c.reach), 0), c.flag_count, keyed.key, keyed.bands::int[]
      from content c left join keyed on keyed.id = c.subject_id
      on conflict (subject_type, subject_id, kind) do update set state = excluded.state, version = excluded.version, title = excluded.title,
        text = excluded.text, data_types = excluded.data_types, is_reply = excluded.is_reply, post_id = excluded.post_id,
        community_id = excluded.community_id, opened_at = excluded.opened_at, placed_at = excluded.placed_at,
        closed_at = case when excluded.closed_at is not null then coalesce(item.closed_at, excluded.closed_at) end,
        ${keptWhileHeld('target_minutes')}, rule_minutes = excluded.rule_minutes, signal_minutes = excluded.signal_minutes, ${keptWhileHeld('reach_minutes')},
        flag_count = excluded.flag_count, ${keptWithText('text_key')}, ${keptWithText('text_bands')},
        escalated_at = case when excluded.placed_at is not distinct from item.placed_at then item.escalated_at end
      returning ${ITEM}),
    ${countHeld(
      type,
      sql`
      select item.community_id, (item.state = 'waiting')::int - (before.state is not distinct from 'waiting')::int as change
      from item left join review_item before on before.subject_type = ${type} and before.subject_id = item.subject_id and before.kind = 'held'`,
    )},
    ${facets(type)}
    select`
}

/**
 * Takes the comments on posts, and on their attachments, out of the queue where these are deleted or declined, and puts them back where they are
 * there again: nobody decides on an answer to what nobody sees. Locks them in the order of ids, as decisions do. Returns the pending ones that have
 * no key. Uses review_item_on_post and review_item_orphaned.
 */
function putOnPosts(ctx: Ctx, postIds: string[]): Sql {
  return sql`
    with place as (
      select p.post_id, ${IS_GONE} as is_gone from post p
      where p.post_id = any(${postIds}::text[]) or p.parent_post_id = any(${postIds}::text[])),
    leaving as materialized (${lockOnPosts(sql`i.state = 'waiting' and place.is_gone`)}),
    coming as materialized (${lockOnPosts(sql`i.state = 'orphaned' and not place.is_gone`)}),
    moving as (table leaving union all table coming),
    item as (
      update review_item item set state = case when is_gone then 'orphaned' else 'waiting' end, closed_at = case when is_gone then ${ctx.now()}::timestamptz end
      from moving where item.subject_type = 'comment' and item.subject_id = moving.subject_id and item.kind = 'held'
      returning ${ITEM}),
    ${countHeld('comment', sql`select community_id, case state when 'waiting' then 1 else -1 end as change from item`)},
    ${facets('comment')}
    select subject_id, community_id, title, text, data_types, placed_at from item
    where state = 'waiting' and placed_at is not null and text_key is null`
}

/** Selects and locks comments on the posts of `place`. Those that leave and those that come back have a partial index each. */
const lockOnPosts = (condition: Sql) => sql`
  select i.subject_id, place.is_gone from place join review_item i on i.post_id = place.post_id and ${isOfType('comment')} and i.kind = 'held'
  where ${condition} order by i.subject_id for no key update of i`

const ITEM = sql`item.subject_id, item.community_id, item.state, item.title, item.text, item.data_types, item.placed_at, item.urgent_at, item.text_key`

/** Puts the facets of the rows in `item`. */
function facets(type: HeldType): Sql {
  return sql`
    known as (
      select item.*, f.facet, f.score from item cross join lateral facets_of(${type}::subject_type, item.subject_id) f
      where item.state = 'waiting' and item.community_id is not null and item.placed_at is not null),
    gone as (
      delete from review_facet f using item
      where f.subject_type = ${type} and f.subject_id = item.subject_id
        and not exists (select from known where known.subject_id = f.subject_id and known.facet = f.facet)),
    facet as (
      insert into review_facet as held (subject_type, subject_id, facet, community_id, score, band, placed_at, urgent_at)
      select ${type}, subject_id, facet, community_id, score, floor(coalesce(score, 0) * 20), placed_at, urgent_at from known
      on conflict (subject_type, subject_id, facet) do update set community_id = excluded.community_id, score = excluded.score, band = excluded.band,
        placed_at = excluded.placed_at, urgent_at = excluded.urgent_at
      where (held.community_id, held.score, held.placed_at, held.urgent_at)
        is distinct from (excluded.community_id, excluded.score, excluded.placed_at, excluded.urgent_at))`
}

/** Gives items that came back their keys. */
async function putKeys(ctx: Ctx, type: HeldType, items: Keyless[]): Promise<void> {
  if (items.length === 0) return
  await execute(
    ctx,
    sql`
    update review_item i set text_key = keyed.key, text_bands = keyed.bands::int[] from (${await keysOf(type, items)}) keyed
    where i.subject_type = ${type} and i.subject_id = keyed.id and i.kind = 'held'`,
  )
}

/** What groups and waves are found by, as a table: normalised texts, which PostgreSQL can't compute. */
async function keysOf(subjectType: HeldType, items: Keyless[]): Promise<Sql> {
  const keyed = await mapInTurns(items, ({ subjectId, communityId, title, text, dataTypes, placedAt }) => {
    const written = {
      subjectType,
      communityId,
      data: { title, text },
      hasFiles: dataTypes.some((type) => type !== 'text'),
    }
    return { subjectId, key: textKeyOf(written), bands: toArray(textBandsOf(written, placedAt)) }
  })
  return sql`
    select id, key, bands
    from unnest(${listOf(keyed.map(({ subjectId }) => subjectId))}, ${keyed.map(({ key }) => key)}::uuid[], ${keyed.map(({ bands }) => bands)}::text[])
      as keyed(id, key, bands)`
}

/** An array in PostgreSQL's notation, which has no arrays of arrays of different lengths. */
const toArray = (bands: number[] | null) => bands && `{${bands.join(',')}}`
