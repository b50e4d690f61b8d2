import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'

const EVENTS_A_BATCH = 1_000

/** The events of content whose text is new. What is held is published to desks only. */
const NEW_TEXT = [
  'v3.comment.didCreate',
  'v3.comment.didReply',
  'v3.comment.didUpdate',
  'desk.comment.didHold',
  'desk.comment.didEdit',
  'v3.post.didCreate',
  'v3.post.didUpdate',
  'desk.post.didHold',
  'desk.post.didEdit',
  'v5.message.didCreate',
]

/**
 * Adds what was written and edited since the last time to the queue of each classifier that is on, by the events of the writes: these cost
 * nothing more, and what is committed is never missed. An item that is asked about again is due at once. Several processes skip each other's
 * classifiers. True if more may be left. Uses event_seq_idx.
 */
export async function fillQueues(ctx: Ctx): Promise<boolean> {
  const filled = await queryOne<{ most: number }>(
    ctx,
    sql`
    with filling as (
      select classifier_id, read_to, kinds, community_id from classifier
      where disabled_at is null and removed_at is null order by classifier_id for no key update skip locked),
    seen as (
      select f.classifier_id, f.kinds, f.community_id as only_in, e.*
      from filling f cross join lateral (
        select seq, name, subject_type, subject_id, community_id from event
        where seq > f.read_to order by seq ${sql.raw(`limit ${EVENTS_A_BATCH}`)}) e),
    added as (
      insert into classifier_item (classifier_id, subject_type, subject_id, event_seq, requested_at, due_at)
      select distinct on (classifier_id, subject_type, subject_id) classifier_id, subject_type::subject_type, subject_id, seq,
        ${ctx.now()}, ${ctx.now()}
      from seen
      where name = any(${NEW_TEXT}) and subject_type = any(kinds::text[]) and (only_in is null or only_in = community_id)
      order by classifier_id, subject_type, subject_id, seq desc
      on conflict (classifier_id, subject_type, subject_id) do update set event_seq = excluded.event_seq,
        requested_at = excluded.requested_at, due_at = excluded.due_at, attempts = 0),
    moved as (
      update classifier c set read_to = newest.seq
      from (select classifier_id, max(seq) as seq, count(*) as count from seen group by classifier_id) newest
      where c.classifier_id = newest.classifier_id
      returning newest.count)
    select coalesce(max(count), 0)::int as most from moved`,
  )
  return filled?.most === EVENTS_A_BATCH
}
