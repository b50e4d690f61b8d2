import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { outcomeOf } from '#server/modules/review/rule-records/outcome-of.ts'
import {
  COUNTED_ITEMS,
  type DecidedCounts,
  type RecordedItem,
  type RuleRecord,
  type RuleRecordInput,
} from '#server/modules/review/rule-records/schema.ts'
import { foundIn } from '#server/modules/rules/judging/review-reasons.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'
import { requireRule } from '#server/modules/rules/registry/read-rule.ts'

const Cursor = z.object({ matchId: z.string().regex(/^\d{1,18}$/) })

/**
 * What a rule did, or would have done, and what people decided on it. Texts are there for content that the caller reviews. Fails with
 * NOT_FOUND for a rule the caller may not manage, INVALID_REQUEST for a cursor that isn't one.
 */
export async function readRuleRecord(ctx: Ctx, { ruleId, cursor, limit }: RuleRecordInput): Promise<RuleRecord> {
  await requireRule(ctx, ruleId)
  const after = cursor === undefined ? undefined : fromCursor(cursor, Cursor)
  if (cursor !== undefined && after === undefined)
    throw new DomainError('INVALID_REQUEST', { detail: ['cursor: not valid'] })

  const [rows, counts] = await Promise.all([
    readItems(ctx, ruleId, after?.matchId, limit + 1),
    after === undefined ? countDecided(ctx, ruleId) : undefined,
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    ...(counts && { counts }),
    items: shown.map(toItem),
    ...(last && { next: toCursor({ matchId: last.matchId }) }),
  }
}

interface ItemRow extends Omit<RecordedItem, 'at' | 'outcome' | 'content'> {
  matchId: string
  createdAt: Date
  outcome: RecordedItem['outcome'] | null
  found: ReviewReason['found']
  data: Record<string, unknown> | null
  authorName: string | null
}

/** Uses rule_match_rule_id_match_id_idx, comment_pkey, post_pkey, message_pkey, network_user_pkey and decision_subject_type_subject_id_decided_at_idx. */
function readItems(ctx: Ctx, ruleId: string, after: string | undefined, limit: number): Promise<ItemRow[]> {
  return query<ItemRow>(
    ctx,
    sql`
    select m.match_id::text as match_id, m.subject_type::text as subject_type, m.subject_id, m.version, m.is_live, m.created_at,
      ${foundIn(sql`coalesce(c.edited_at, p.edited_at)`)} as found, ${outcomeOf(sql`m`)} as outcome, coalesce(c.data, p.data, sent.data) as data,
      coalesce(nullif(u.display_name, ''), u.user_id) as author_name
    from (
      select * from rule_match
      where rule_id = ${ruleId} and ${after === undefined ? sql`true` : sql`match_id < ${after}::bigint`}
      order by match_id desc ${sql.raw(`limit ${Math.trunc(limit)}`)}) m
    left join comment c on m.subject_type = 'comment' and c.comment_id = m.subject_id
      and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)}
    left join post p on m.subject_type = 'post' and p.post_id = m.subject_id
      and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}
    left join message sent on m.subject_type = 'message' and sent.message_id = m.subject_id
      and exists (select from channel c where c.channel_id = sent.channel_id and ${mayModerateMessages(ctx)})
    left join network_user u on u.user_id = coalesce(c.user_id, p.posted_user_id, sent.user_id)
    order by m.match_id desc`,
  )
}

/** Uses rule_match_rule_id_match_id_idx and decision_subject_type_subject_id_decided_at_idx. */
async function countDecided(ctx: Ctx, ruleId: string): Promise<RuleRecord['counts']> {
  const rows = await query<DecidedCounts & { isLive: boolean }>(
    ctx,
    sql`
    select is_live, count(*)::int as items, count(*) filter (where outcome = 'rejected')::int as rejected,
      count(*) filter (where outcome = 'approved')::int as approved
    from (
      select m.is_live, ${outcomeOf(sql`m`)} as outcome from (
        select * from rule_match where rule_id = ${ruleId} order by match_id desc ${sql.raw(`limit ${COUNTED_ITEMS}`)}) m) judged
    group by is_live order by is_live`,
  )
  const countsOf = (isLive: boolean): DecidedCounts => {
    const { items = 0, rejected = 0, approved = 0 } = rows.find((row) => row.isLive === isLive) ?? {}
    return { items, rejected, approved }
  }
  const [live, shadow] = [countsOf(true), countsOf(false)]
  return { live, shadow, isPartial: live.items + shadow.items >= COUNTED_ITEMS }
}

function toItem({ matchId: _, createdAt, outcome, found, data, authorName, ...item }: ItemRow): RecordedItem {
  const { title, text } = data ?? {}
  return {
    ...item,
    at: createdAt.toISOString(),
    ...(outcome && { outcome }),
    ...(authorName !== null && {
      content: {
        authorName,
        ...(typeof title === 'string' && title !== '' && { title }),
        text: typeof text === 'string' ? text : '',
        found,
      },
    }),
  }
}
