import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { deleteMessage } from '#server/modules/content/messages/delete-message.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { eraseTextsOn } from '#server/modules/ledger/audit/erase-texts.ts'
import { isAvatarOfOthers } from '#server/modules/people/is-avatar-of-others.ts'
import { filesIn } from '#server/modules/people/personal-data-map.ts'

/** Deleted in one transaction: few enough to hold no lock for long. */
const ITEMS_A_STEP = 25

interface Content {
  type: string
  table: Sql
  id: Sql
  author: Sql
  /** The column that names files, in JSON. */
  files: string
  erase: (ctx: Ctx, id: string, ownerId: string) => Promise<void>
}

/** Uses comment_of_author, message_of_author and post_of_author. Posts come last: the attachments of one are deleted with it. */
const CONTENTS: Content[] = [
  {
    type: 'comment',
    table: sql`comment`,
    id: sql`comment_id`,
    author: sql`user_id`,
    files: 'jsonb_build_array(data, attachments)',
    erase: (ctx, commentId, ownerId) => deleteComment(ctx, { commentId, permanent: true }, ownerId),
  },
  {
    type: 'message',
    table: sql`message`,
    id: sql`message_id`,
    author: sql`user_id`,
    files: 'jsonb_build_array(data, file_id)',
    erase: (ctx, messageId, ownerId) => deleteMessage(ctx, { messageId, permanent: true }, ownerId),
  },
  {
    type: 'post',
    table: sql`post`,
    id: sql`post_id`,
    author: sql`posted_user_id`,
    files: 'data',
    // Children whose parents come first are gone by the time it is their turn.
    erase: (ctx, postId, ownerId) => deletePost(ctx, { postId, permanent: true }, ownerId),
  },
]

/** Erases the next few items that a person wrote, with their files and what was said about them. Returns how many there were. */
export async function eraseContent(ctx: Ctx, userId: string): Promise<number> {
  for (const content of CONTENTS) {
    const ids = await nextOf(ctx, content, userId)
    if (ids.length === 0) continue
    await eraseFiles(ctx, content, ids, userId)
    for (const id of ids) await content.erase(ctx, id, userId)
    await eraseTextsOn(ctx, content.type, ids)
    await eraseNotesOn(ctx, content.type, ids)
    return ids.length
  }
  return 0
}

/** Top-level posts first. */
async function nextOf(ctx: Ctx, { type, table, id, author }: Content, userId: string): Promise<string[]> {
  const isTopLevel =
    type === 'post'
      ? sql`(t.parent_post_id is null or not exists (
          select from post parent where parent.post_id = t.parent_post_id and parent.posted_user_id = ${userId}))`
      : sql`true`
  const rows = await query<{ id: string }>(
    ctx,
    sql`
    select t.${id} as id from ${table} t where t.${author} = ${userId} and ${isTopLevel}
    order by t.created_at desc, t.${id} ${sql.raw(`limit ${ITEMS_A_STEP}`)}`,
  )
  return rows.map((row) => row.id)
}

/** What they only shared, or what is the avatar of others, stays. */
async function eraseFiles(ctx: Ctx, { type, table, id, files }: Content, ids: string[], userId: string): Promise<void> {
  const withChildren = type === 'post' ? sql`or t.parent_post_id = any(${ids})` : sql.empty
  const isShared = type === 'post' ? sql`coalesce(t.shared_user_id <> t.posted_user_id, false)` : sql`false`
  const named = await query<{ fileId: string }>(
    ctx,
    sql`
    select f.file_id from file f where f.file_id in (
      select named.* from ${table} t, lateral (${filesIn(files)}) named
      where (t.${id} = any(${ids}) ${withChildren}) and not ${isShared})`,
  )
  if (named.length === 0) return
  await execute(
    ctx,
    sql`
    delete from file f where f.file_id = any(${named.map(({ fileId }) => fileId)}) and not ${isAvatarOfOthers(userId)}`,
  )
}

/** Why colleagues were asked about it. Uses review_item_pkey. */
async function eraseNotesOn(ctx: Ctx, type: string, ids: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    update review_item set escalation_note = '' where subject_type = ${type} and subject_id = any(${ids}::text[]) and escalation_note <> ''`,
  )
}
