import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { countMentioned, readMentioned } from '#server/modules/content/mentions/read-mentioned.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { postKind } from '#server/modules/content/posts/post-kind.ts'
import type { PostEdit, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { type EditedKind, editContent } from '#server/modules/content/reviewable/edit-content.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'
import { rulesOf } from '#server/modules/rules/judging/judge-content.ts'

/**
 * Edits a post; reviewers see that it changed. For its author, unless they are banned, and for EDIT_COMMUNITY_POST there. A public one that
 * a live rule holds as its author changed it waits for review again: to everyone else it is gone until then. What a live rule rejects is
 * rejected, also where it is pending. Fails with NOT_FOUND, BANNED, FORBIDDEN (also for a deleted one), BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export function editPost(ctx: Ctx, input: PostEdit & { postId: string }): Promise<PostsEnvelope> {
  return editContent(ctx, editedPost, input.postId, input)
}

export const editedPost: EditedKind<PostEdit, LockedPost, PostsEnvelope> = {
  ...postKind,
  authorizeEdit: async (ctx, post) => assertMayEdit(ctx, post),
  textsOf: ({ data, tags, hashtags }) => [data, tags, hashtags],
  merge: async (ctx, post, { data, metadata, tags, hashtags, ...edit }) => {
    const mentionees = edit.mentionees && (await readMentioned(ctx, edit.mentionees))
    const mentions = countMentioned(mentionees ?? post.mentionees ?? [])
    // Rules can't hold an attachment, which goes with its post, nor what was declined.
    const isJudged = post.parentPostId === null && post.feedType !== 'declined'
    return {
      judged: isJudged ? { data: data ?? post.data, mentions, media: post.dataTypes } : null,
      set: sql`
        data = coalesce(${toJson(data)}::jsonb, data), metadata = coalesce(${toJson(metadata)}::jsonb, metadata),
        mentionees = coalesce(${toJson(mentionees)}::jsonb, mentionees), tags = coalesce(${tags ?? null}::text[], tags),
        hashtags = coalesce(${hashtags ?? null}::text[], hashtags)`,
    }
  },
  atDesk: ({ holding }) => rulesOf(holding),
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
