import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'

/** There are notifications of an endpoint that has failed for so long, */
const FAILS_FOR_MS = 15 * 60_000
/** and of a community with overdue items this often at most. */
export const OVERDUE_EVERY_MS = 3_600_000
/** Rows are dated before they are committed: each look goes back by so much. */
const LOOKS_BACK_MS = 60_000
const DAY_MS = 86_400_000

const FLAGGED = ['v3.comment.didFlag', 'v3.post.didFlag', 'message.didFlag', 'user.didFlag']

/** How far notifications were looked for. */
export interface Position {
  readTo: string
  lookedAt: Date
}

/** The events after this number, up to and with that one. */
export interface EventRange {
  readTo: string
  end: string
}

/** Part of a `with`: the events as `seen`. Of several about the same, the last one counts. Uses event_seq_idx. */
export function seenIn({ readTo, end }: EventRange): Sql {
  return sql`
    seen as (
      select distinct on (name, subject_type, subject_id) seq, name, subject_type, subject_id, community_id, payload
      from event where seq > ${readTo}::bigint and seq <= ${end}::bigint
      order by name, subject_type, subject_id, seq desc)`
}

/** Events `e` and items `i`: those that were escalated, where the condition holds. */
export const ESCALATED = sql`seen e join review_item i on i.subject_type = e.subject_type and i.subject_id = e.subject_id
  and i.kind = case when e.name like '%Report' then 'reported' else 'held' end`
export const IS_ESCALATED = sql`e.name like 'desk.%.didEscalate%' and i.state = 'waiting' and i.escalated_at is not null`

/** In the same way those that were reported. */
export const REPORTED = sql`seen e join review_item i
  on i.subject_type = e.subject_type and i.subject_id = e.subject_id and i.kind = 'reported'`
export const IS_REPORTED = sql`e.name = any(${FLAGGED}) and i.state = 'waiting'`

/** Whether `e` says that a rule went back to shadow by itself. */
export const IS_OVERTURNED = sql`e.name = 'desk.rule.didChange' and e.payload ->> 'action' = 'rule.overturned'`

/** Communities with a service target `t`. */
export const WITH_TARGET = sql`service_target t join community k on k.community_id = t.community_id and not k.is_deleted`

/** Whether items of the community of `t` have become overdue since then. Uses review_item_in_community. */
export function hasBecomeOverdue(ctx: Ctx, { lookedAt }: Position): Sql {
  const from = new Date(lookedAt.getTime() - LOOKS_BACK_MS)
  const within = sql`make_interval(mins => t.within_minutes)`
  return sql`exists (
    select from review_item i where i.community_id = t.community_id and ${IS_HELD}
      and i.placed_at > ${from}::timestamptz - ${within} and i.placed_at <= ${ctx.now()}::timestamptz - ${within})`
}

/** Whether the endpoint `w` has failed for a while, or was switched off for it today. */
export function isFailing(ctx: Ctx): Sql {
  const now = ctx.now().getTime()
  return sql`(w.removed_at is null and (w.disabled_at is null and w.failing_since <= ${new Date(now - FAILS_FOR_MS)}
    or w.disabled_reason = 'failing' and w.disabled_at > ${new Date(now - DAY_MS)}))`
}

/** Names a failure of the endpoint `w`, and its end. */
export const FAILING_KEY = sql`
  case when w.disabled_at is null then 'failing ' || extract(epoch from w.failing_since) else 'off ' || extract(epoch from w.disabled_at) end`
