import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { outcomeOf } from '#server/modules/review/rule-records/outcome-of.ts'
import type { RecordedItem } from '#server/modules/review/rule-records/schema.ts'
import { foundTextOf } from '#server/modules/rules/judging/found-text.ts'
import { foundIn } from '#server/modules/rules/judging/review-reasons.ts'
import type { RuleReason } from '#server/modules/rules/judging/schema.ts'

const Cursor = z.object({ matchId: z.string().regex(/^\d{1,18}$/) })

/** A condition on a match `m` for those of the next page, newest first. Fails with INVALID_REQUEST for a cursor that isn't one. */
export function matchesAfter(cursor: string | undefined): Sql {
  if (cursor === undefined) return sql.empty
  const after = fromCursor(cursor, Cursor)
  if (after === undefined) throw new DomainError('INVALID_REQUEST', { detail: ['cursor: not valid'] })
  return sql`and m.match_id < ${after.matchId}::bigint`
}

interface ItemRow extends Omit<RecordedItem, 'at' | 'outcome' | 'content'> {
  matchId: string
  createdAt: Date
  outcome: RecordedItem['outcome'] | null
  found: RuleReason['found']
  data: Record<string, unknown> | null
  authorName: string | null
}

/**
 * The items of some matches, newest first. Texts are there for content that the caller reviews. Uses rule_pkey, comment_pkey, post_pkey,
 * message_pkey, network_user_pkey and decision_subject_type_subject_id_decided_at_idx.
 */
export function readItems(ctx: Ctx, matches: Sql): Promise<ItemRow[]> {
  return query<ItemRow>(
    ctx,
    sql`
    select m.match_id::text as match_id, m.rule_id, fired.name as rule_name, m.subject_type::text as subject_type, m.subject_id, m.version,
      m.is_live, m.created_at, ${foundIn(sql`coalesce(c.edited_at, p.edited_at)`)} as found, ${outcomeOf(sql`m`)} as outcome,
      coalesce(c.data, p.data, sent.data) as data, coalesce(nullif(u.display_name, ''), u.user_id) as author_name
    from (${matches}) m
    join rule fired on fired.rule_id = m.rule_id
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

/** `rows`: one more than the page has, if there is another page. */
export function pageOfItems(rows: ItemRow[], limit: number): { items: RecordedItem[]; next?: string } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(toItem), ...(last && { next: toCursor({ matchId: last.matchId }) }) }
}

function toItem({ matchId: _, createdAt, outcome, found, data, authorName, ...item }: ItemRow): RecordedItem {
  return {
    ...item,
    at: createdAt.toISOString(),
    ...(outcome && { outcome }),
    ...(authorName !== null && { content: { authorName, ...foundTextOf(data, found) } }),
  }
}
