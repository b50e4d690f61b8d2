import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { mayReviewItem } from '#server/modules/review/queue/kinds.ts'

/**
 * Selects the space of an item, by values or columns, that the caller may review; no row if they may not see it or it was never held, rejected or reported. Of
 * channels, fewer people may see conversations.
 */
export function spaceOf(ctx: Ctx, { subjectType, subjectId }: Subject | Record<keyof Subject, Sql>): Sql {
  return sql`
    select i.community_id, case when ch.type <> 'conversation' then i.channel_id end as channel_id,
      case when ch.type = 'conversation' then i.channel_id end as conversation_id
    from review_item i left join channel ch on ch.channel_id = i.channel_id
    where i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and ${mayReviewItem(ctx)} limit 1`
}

/** The row `space` as a lease has it, in JSON. */
export const SPACE_JSON = sql`
  jsonb_strip_nulls(jsonb_build_object('communityId', space.community_id, 'channelId', space.channel_id, 'conversationId', space.conversation_id))`
