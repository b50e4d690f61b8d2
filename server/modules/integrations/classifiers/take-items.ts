import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import type { ClassifiedKind } from '#server/modules/integrations/classifiers/schema.ts'

/** Added to the deadline: after that, the process that took an item is taken for dead. */
const LEASE_MS = 15_000

interface ItemKey {
  classifierId: string
  subjectType: ClassifiedKind
  subjectId: string
  /** Its latest event when it was taken. */
  eventSeq: string
}

/** An item that this process asks about. */
export interface TakenItem extends ItemKey {
  content: ItemContent
}

/** What a classifier is sent of an item, besides its id. */
export interface ItemContent {
  communityId: string | null
  userId: string
  data: Record<string, unknown> | null
  createdAt: Date
  editedAt: Date | null
}

type TakenRow = ItemKey & (ItemContent | { [Name in keyof ItemContent]: null })

/**
 * Takes up to so many due items of each classifier, the longest due first, with their content as it is now. No other process takes them until
 * the deadline is long past. What is gone by then, out of scope, or scored by this classifier already is not asked about any more. Uses
 * classifier_item_classifier_id_due_at_idx.
 */
export async function takeItems(ctx: Ctx, wanted: { classifierId: string; limit: number }[]): Promise<TakenItem[]> {
  const now = ctx.now()
  const rows = await query<TakenRow>(
    ctx,
    sql`
    with wanted as (
      select c.classifier_id, c.kinds, c.community_id as only_in, asked.count,
        ${now}::timestamptz + make_interval(secs => (c.deadline_ms + ${LEASE_MS}) / 1000.0) as held_until
      from unnest(${wanted.map(({ classifierId }) => classifierId)}::text[], ${wanted.map(({ limit }) => limit)}::int[])
        as asked(classifier_id, count)
      join classifier c using (classifier_id)
      where c.disabled_at is null and c.removed_at is null),
    due as (
      select i.*, w.held_until from wanted w cross join lateral (
        select classifier_id, subject_type, subject_id from classifier_item
        where classifier_id = w.classifier_id and due_at <= ${now} order by due_at limit w.count for update skip locked) i),
    taken as (
      update classifier_item i set due_at = due.held_until from due
      where i.classifier_id = due.classifier_id and i.subject_type = due.subject_type and i.subject_id = due.subject_id
      returning i.classifier_id, i.subject_type, i.subject_id, i.event_seq)
    select taken.classifier_id, taken.subject_type::text as subject_type, taken.subject_id, taken.event_seq::text as event_seq,
      content.community_id, content.user_id, content.data, content.created_at, content.edited_at
    from taken join wanted w using (classifier_id)
    left join lateral (
      select community_id, user_id, data, created_at, edited_at from comment
      where taken.subject_type = 'comment' and comment_id = taken.subject_id and not is_deleted
      union all
      select community_id, posted_user_id, data, created_at, edited_at from post
      where taken.subject_type = 'post' and post_id = taken.subject_id and not is_deleted and parent_post_id is null
      union all
      select null, user_id, data, created_at, edited_at from message
      where taken.subject_type = 'message' and message_id = taken.subject_id and not is_deleted) content
      on taken.subject_type = any(w.kinds) and (w.only_in is null or w.only_in = content.community_id)
        and not exists (
          select from signal s
          where s.subject_type = taken.subject_type and s.subject_id = taken.subject_id and s.sent_by = taken.classifier_id
            and s.measured_at = coalesce(content.edited_at, content.created_at))
    order by taken.event_seq`,
  )
  const items = rows.flatMap((row): TakenItem[] => {
    const { classifierId, subjectType, subjectId, eventSeq, ...content } = row
    return content.userId === null ? [] : [{ classifierId, subjectType, subjectId, eventSeq, content }]
  })
  const unasked = rows.filter(({ userId }) => userId === null)
  if (unasked.length > 0)
    await execute(
      ctx,
      sql`
      with gone as (${freeOf(unasked)})
      delete from classifier_item i using gone t where ${isSame}`,
    )
  return items
}

/** Makes items due again that were not asked about. */
export async function releaseItems(ctx: Ctx, items: TakenItem[]): Promise<void> {
  if (items.length === 0) return
  await execute(
    ctx,
    sql`
    with released as (${freeOf(items)})
    update classifier_item i set due_at = ${ctx.now()} from released t where ${isSame}`,
  )
}

/** Locks those of the items that nobody else is changing, as callers at the same time would wait for each other in a circle. */
function freeOf(items: ItemKey[]): Sql {
  return sql`select i.* from classifier_item i join ${toRows(items)} on ${isSame} for update of i skip locked`
}

/** The items as rows of a statement, `t`. */
export function toRows(items: ItemKey[]): Sql {
  const column = <Name extends keyof ItemKey>(name: Name) => items.map((item) => item[name])
  return sql`unnest(${column('classifierId')}::text[], ${column('subjectType')}::subject_type[], ${column('subjectId')}::text[],
    ${column('eventSeq')}::bigint[]) as t(classifier_id, subject_type, subject_id, event_seq)`
}

/** Whether `classifier_item i` is `t`, without a later event. */
export const isSame = sql`i.classifier_id = t.classifier_id and i.subject_type = t.subject_type and i.subject_id = t.subject_id
  and i.event_seq = t.event_seq`
