import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import { IS_HELD, IS_QUEUE_OPEN } from '#server/modules/content/items/held.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { MESSAGE_VERSIONS } from '#server/modules/content/messages/message-versions.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import { mayRemoveContent } from '#server/modules/content/reviewable/reviewable.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { atMost, mayReviewHeld } from '#server/modules/review/queue/held.ts'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'

/** What to remove of what a person wrote. */
export interface Removable {
  authorId: string
  space: BanSpace
  /** The item in front, which comes first. An escalated one is included only as that. */
  item?: Subject | undefined
  /** Whether what is held is included. */
  isHeldIncluded: boolean
  /** Absent: nothing that is published. */
  published?: { since?: Date | undefined } | undefined
}

/**
 * A query: what a person wrote that is held or published, as far as the caller may reject or delete it, in one space or wherever they may; the item in
 * front first, then the newest. Has `subject_type`, `subject_id`, `version`, `is_published`, `written_at`, `community_id`, `channel_id`, `data`,
 * `flag_count`, and `is_claimed` for what a colleague has claimed. Uses review_item_of_author, comment_of_author, post_of_author and message_of_author.
 */
export function selectRemovable(ctx: Ctx, removable: Removable, limit: number): Sql {
  const { authorId, item, isHeldIncluded, published } = removable
  const parts = [
    ...(isHeldIncluded ? [heldItems(ctx, removable)] : []),
    ...(published ? [comments, posts, messages].map((select) => select(ctx, removable, published.since)) : []),
  ]
  return sql`
    select w.* from (${sql.join(parts, ' union all ')})
      w(subject_type, subject_id, version, is_published, written_at, community_id, channel_id, data, flag_count, is_claimed)
    where ${authorId}::text is distinct from ${actingUserId(ctx) ?? null}
    order by (w.subject_type, w.subject_id) is not distinct from (${item?.subjectType ?? null}::text, ${item?.subjectId ?? null}::text) desc,
      w.written_at desc, w.subject_id ${atMost(limit)}`
}

function heldItems(ctx: Ctx, { authorId, space, item }: Removable): Sql {
  const isInFront = item ? sql`(i.subject_type = ${item.subjectType} and i.subject_id = ${item.subjectId})` : sql`false`
  return sql`
    select i.subject_type, i.subject_id, i.version, false, i.written_at, i.community_id, null, jsonb_build_object('title', i.title, 'text', i.text),
      i.flag_count, coalesce(i.claimed_by is distinct from ${actingUserId(ctx) ?? null} and i.claimed_until > ${ctx.now()}, false)
    from review_item i
    where i.author_id = ${authorId} and ${IS_HELD} and ${mayReviewHeld(ctx)} and ${IS_QUEUE_OPEN} and ${isInSpace(space, sql`i.community_id`)}
      and (i.escalated_at is null or ${isInFront})`
}

function comments(ctx: Ctx, { authorId, space }: Removable, since: Date | undefined): Sql {
  return sql`
    select 'comment', c.comment_id, c.version, true, c.created_at, c.community_id, null, c.data, c.flag_count, false
    from comment c
    where c.user_id = ${authorId} ${writtenSince(sql`c`, since)} and not c.is_deleted and ${reviewableComment.isPublic}
      and ${isInSpace(space, sql`c.community_id`)} and ${mayRemoveContent(ctx, reviewableComment)}`
}

/** Attachments go with their post. */
function posts(ctx: Ctx, { authorId, space }: Removable, since: Date | undefined): Sql {
  return sql`
    select 'post', p.post_id, p.version, true, p.created_at, p.community_id, null, p.data, p.flag_count, false
    from post p
    where p.posted_user_id = ${authorId} ${writtenSince(sql`p`, since)} and p.parent_post_id is null and not p.is_deleted
      and ${reviewablePost.isPublic} and ${isInSpace(space, sql`p.community_id`)} and ${mayRemoveContent(ctx, reviewablePost)}`
}

/** Not those of conversations: opening one takes a reason, which is logged. */
function messages(ctx: Ctx, { authorId, space }: Removable, since: Date | undefined): Sql {
  const isThere = {
    channel: () => sql`m.channel_id = ${space.scope === 'channel' ? space.channelId : ''}`,
    community: () => sql`
      m.channel_id = (select channel_id from community where community_id = ${space.scope === 'community' ? space.communityId : ''})`,
    network: () => sql`true`,
  }[space.scope]()
  return sql`
    select 'message', m.message_id, ${MESSAGE_VERSIONS.published}::int, true, m.created_at, null, m.channel_id, m.data, m.flag_count, false
    from message m join channel c on c.channel_id = m.channel_id
    where m.user_id = ${authorId} ${writtenSince(sql`m`, since)} and not m.is_deleted and ${isThere}
      and c.type <> 'conversation' and ${mayModerateMessages(ctx)}`
}

function writtenSince(row: Sql, since: Date | undefined): Sql {
  return since === undefined ? sql.empty : sql`and ${row}.created_at >= ${since}`
}

/** Whether what the column's community has is in a space: a channel has nothing but messages. */
export function isInSpace(space: BanSpace, communityColumn: Sql): Sql {
  switch (space.scope) {
    case 'network':
      return sql`true`
    case 'community':
      return sql`${communityColumn} = ${space.communityId}`
    case 'channel':
      return sql`false`
  }
}
