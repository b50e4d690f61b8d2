import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { mayReviewReport } from '#server/modules/review/queue/reported.ts'

/** Two columns of a report `review_item r` with its `channel ch`: fewer people may see conversations. */
export const CHANNEL_OR_CONVERSATION = sql`
  case when ch.type <> 'conversation' then r.channel_id end as channel_id,
  case when ch.type = 'conversation' then r.channel_id end as conversation_id`

/** Selects the space of an item that the caller may review; no row if they may not see it or it was never held, rejected or reported. */
export function spaceOf(ctx: Ctx, { subjectType, subjectId }: Subject): Sql {
  return sql`
    select c.community_id, null as channel_id, null as conversation_id from comment c
    where ${subjectType} = 'comment' and c.comment_id = ${subjectId} and c.approval_status is not null
      and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)}
    union
    select p.community_id, null, null from post p
    where ${subjectType} = 'post' and p.post_id = ${subjectId} and (p.queued_at is not null or p.feed_type = 'declined')
      and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}
    union
    select r.community_id, ${CHANNEL_OR_CONVERSATION} from review_item r left join channel ch on ch.channel_id = r.channel_id
    where r.subject_type = ${subjectType} and r.subject_id = ${subjectId} and r.kind = 'reported' and ${mayReviewReport(ctx)}`
}

/** From a row `space`, in the form a lease uses. */
export const SPACE_JSON = sql`
  jsonb_strip_nulls(jsonb_build_object('communityId', space.community_id, 'channelId', space.channel_id, 'conversationId', space.conversation_id))`
