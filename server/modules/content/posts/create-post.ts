import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { postDeltas } from '#server/modules/content/posts/count-post.ts'
import { postKind } from '#server/modules/content/posts/post-kind.ts'
import { newPostPayload } from '#server/modules/content/posts/post-payload.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'
import type { NewPost, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { publishHidden } from '#server/modules/content/writing/publish-hidden.ts'
import { IS_BANNED, joinOwnMembership, OPEN_SPACE, type Space, spaceIn } from '#server/modules/content/writing/space.ts'
import { type Writing, type WrittenKind, writeContent } from '#server/modules/content/writing/write-content.ts'
import { deltaTables } from '#server/modules/ledger/counts/record-delta.ts'
import { linkKeysOf } from '#server/modules/rules/judging/link-keys.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

/** Writes a post for the caller, as `writeContent` does: in a community they are a member of, on their own feed, or on content. */
export function createPost(ctx: Ctx, input: NewPost): Promise<PostsEnvelope> {
  return writeContent(ctx, writtenPost, input)
}

interface PostSpace extends Space {
  targetId: string | null
}

const FEED = { public: 'published', held: 'reviewing', rejected: 'declined' } as const

const writtenPost: WrittenKind<NewPost, PostSpace, PostsEnvelope> = {
  type: 'post',
  flaggable: postKind.flaggable,
  findSpace,
  textsOf: ({ data, tags, hashtags }) => [data, tags, hashtags],
  mediaOf: ({ dataType, attachments }) => [dataType, ...attachments.map(({ type }) => type)],
  insert,
  stateOf: (fate) => ({ ...(fate !== 'rejected' && { feedType: FEED[fate] }), version: 1 }),
  read: (ctx, id) => buildPostsEnvelope(ctx, [id], { isNew: true }),
  eventName: () => 'v3.post.didCreate',
  payloadOf: newPostPayload,
  publishHidden: (ctx, id, writing) => publishHidden(ctx, postKind, id, writing),
}

/** Content is defined by the app alone; only its user writes on a feed. */
async function findSpace(ctx: Ctx, { targetType, targetId }: NewPost): Promise<PostSpace | undefined> {
  if (targetType === 'community') return findCommunity(ctx, targetId)
  return { ...OPEN_SPACE, targetId, isOpen: targetType === 'content' || targetId === actingUserId(ctx) }
}

/** `onlyAdminCanPost`: only those who may edit others' posts there. */
function findCommunity(ctx: Ctx, communityId: string): Promise<PostSpace | undefined> {
  const community = sql`k.community_id`
  const space = spaceIn(ctx, community, {
    isOpen: sql`not k.is_deleted and (not k.only_admin_can_post or ${mayInCommunity(ctx, 'editPosts', community)})`,
    isReviewed: sql`k.need_approval_on_post_creation`,
    review: 'reviewPosts',
  })
  return queryOne<PostSpace>(
    ctx,
    sql`
    select null as target_id, ${space} from community k ${joinOwnMembership(ctx, community)}
    where k.community_id = ${communityId} and (${isOpen(ctx)} or k.is_discoverable or ${IS_BANNED})`,
  )
}

async function insert(ctx: Ctx, writing: Writing<NewPost, PostSpace>): Promise<{ subjectId: string }> {
  const { input, space, authorId, mentionees, fate } = writing
  const { communityId, targetId } = space
  const feedType = FEED[fate]
  const feedId = await findFeed(ctx, input, feedType)
  const now = ctx.now()
  const post = await queryOne<{ subjectId: string }>(
    ctx,
    sql`
    with written as (
      insert into post (post_id, posted_user_id, target_type, community_id, target_id, feed_id, feed_type, queued_at, data,
      data_type, structure_type, metadata, children_number, tags, hashtags, mentionees, link_keys, created_at, updated_at)
    values (new_internal_id(), ${authorId}, ${input.targetType}::target_type, ${communityId}, ${targetId}, ${feedId},
      ${feedType}::feed_type, ${fate === 'held' ? now : null},
      ${JSON.stringify(input.data)}::jsonb, ${input.dataType}, ${structureOf(input)},
      ${input.metadata ? JSON.stringify(input.metadata) : null}::jsonb, ${input.attachments.length},
      ${input.tags ?? []}, ${input.hashtags ?? []}, ${JSON.stringify(mentionees)}::jsonb,
      ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning post_id as subject_id)${deltaTables(postDeltas({ communityId, feedId, feedType }, 1), sql`from written`)}
    select subject_id from written`,
  )
  if (post === undefined) throw new Error('an insert returned no row')
  if (input.attachments.length > 0) await insertChildren(ctx, post.subjectId, input.attachments)
  return post
}

/** The type of its attachments; `mixed` for several types (docs/interface/posts.md#post). */
function structureOf({ dataType, attachments }: NewPost): string {
  const kinds = [...new Set(attachments.map(({ type }) => type))]
  return kinds.length > 1 ? 'mixed' : (kinds[0] ?? dataType)
}

/** Inserts attachments, in the space and feed of their parent. */
async function insertChildren(ctx: Ctx, parentPostId: string, attachments: NewPost['attachments']): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into post (post_id, parent_post_id, posted_user_id, target_type, community_id, target_id, feed_id, feed_type, queued_at, data,
      data_type, structure_type, created_at, updated_at)
    select new_internal_id(), parent.post_id, parent.posted_user_id, parent.target_type, parent.community_id, parent.target_id,
      parent.feed_id, parent.feed_type, parent.queued_at, jsonb_build_object('fileId', attached.file_id), attached.type, attached.type,
      parent.created_at + attached.position * interval '1 millisecond', parent.updated_at
    from post parent,
      unnest(${attachments.map(({ fileId }) => fileId)}::text[], ${attachments.map(({ type }) => type)}::text[])
        with ordinality as attached(file_id, type, position)
    where parent.post_id = ${parentPostId}`,
  )
}
