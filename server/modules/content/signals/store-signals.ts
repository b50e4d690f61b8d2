import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import type { NewSignal, SignalsRecorded } from '#server/modules/content/signals/schema.ts'
import { hasRunningRules } from '#server/modules/rules/judging/running-rules.ts'

/**
 * Stores what classifiers say of content: the latest measurement of each name, so that repeated, late and out-of-order calls end alike. Of
 * two with the same time, the first one stays. Where rules run, the worker has them judge the content with it (`judgeSignals`). Unknown
 * content is named in the answer and nothing is stored for it. `sentBy` is the key or the classifier; null for an admin.
 */
export function storeSignals(ctx: Ctx, signals: NewSignal[], sentBy: string | null): Promise<SignalsRecorded> {
  return inTransaction(ctx, (ctx) => store(ctx, signals, sentBy))
}

async function store(ctx: Ctx, signals: NewSignal[], sentBy: string | null): Promise<SignalsRecorded> {
  const column = <Name extends keyof NewSignal>(name: Name) => signals.map((signal) => signal[name] ?? null)
  const measuredAt = signals.map((signal) => signal.measuredAt ?? ctx.now())

  // Content is locked against deletion, and where it may be held against other scores, for the trigger that counts the highest. All go in one
  // order, so that calls at the same time don't wait for each other in a circle.
  const recorded = await queryOne<SignalsRecorded>(
    ctx,
    sql`
    with given as (
      select distinct on (type, id, name) type::subject_type as subject_type, id as subject_id, name, score, model_version, measured_at
      from unnest(${column('type')}::text[], ${column('id')}::text[], ${column('name')}::text[], ${column('score')}::float8[],
        ${column('modelVersion')}::text[], ${measuredAt}::timestamptz[]) with ordinality
        as sent(type, id, name, score, model_version, measured_at, place)
      order by type, id, name, measured_at desc, place),
    comments as (select comment_id as id, community_id from comment
      where comment_id in (select subject_id from given where subject_type = 'comment') order by comment_id for no key update),
    posts as (select post_id as id, community_id from post
      where post_id in (select subject_id from given where subject_type = 'post') order by post_id for no key update),
    messages as (select message_id as id from message
      where message_id in (select subject_id from given where subject_type = 'message') order by message_id for key share),
    known as (
      select given.*, not ${hasRunningRules(sql`content.community_id`)} as is_judged from given join (
        select 'comment'::subject_type as subject_type, id as subject_id, community_id from comments
        union all select 'post', id, community_id from posts
        union all select 'message', id, null from messages) content using (subject_type, subject_id)),
    written as (
      insert into signal (subject_type, subject_id, name, score, model_version, measured_at, received_at, sent_by, is_judged)
      select subject_type, subject_id, name, score, model_version, measured_at, ${ctx.now()}, ${sentBy}, is_judged from known
      order by subject_type, subject_id, name
      on conflict (subject_type, subject_id, name) do update set score = excluded.score, model_version = excluded.model_version,
        measured_at = excluded.measured_at, received_at = excluded.received_at, sent_by = excluded.sent_by,
        is_judged = excluded.is_judged
      where signal.measured_at < excluded.measured_at
      returning name),
    missing as (
      select distinct subject_type, subject_id from given
      except select subject_type, subject_id from known)
    select (select count(*) from written)::int as recorded,
      ${signals.length} - (select count(*) from written)::int - (
        select count(*) from unnest(${column('type')}::text[], ${column('id')}::text[]) as sent(type, id)
        join missing on missing.subject_type::text = sent.type and missing.subject_id = sent.id)::int as unchanged,
      coalesce((select json_agg(json_build_object('type', subject_type, 'id', subject_id) order by subject_type, subject_id)
        from missing), '[]') as unknown`,
  )
  if (recorded === undefined) throw new DomainError('UNEXPECTED')
  await putItems(ctx, 'comment', idsOf(signals, 'comment'))
  await putItems(ctx, 'post', idsOf(signals, 'post'))
  return recorded
}

const idsOf = (signals: NewSignal[], wanted: NewSignal['type']) =>
  signals.flatMap(({ type, id }) => (type === wanted ? id : []))
