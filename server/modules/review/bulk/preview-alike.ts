import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { NO_TEXT_KEY } from '#server/modules/content/reviewable/text-key.ts'
import { BULK_LIMIT, type BulkPreview, type PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { toPreviewed } from '#server/modules/review/bulk/to-previewed.ts'
import { IS_HELD_POST } from '#server/modules/review/queue/desk-filter.ts'
import { atMost, IS_HELD } from '#server/modules/review/queue/held.ts'
import {
  COMMENT_ITEM,
  type ItemRow,
  namedItems,
  POST_ITEM,
  toQueueItem,
} from '#server/modules/review/queue/queue-item.ts'
import type { Subject } from '#server/modules/review/queue/schema.ts'

/**
 * Previews a decision on everything that is held with the same text as one of these items (docs/decisions/0198), newest first. Items that the
 * caller doesn't review add nothing.
 */
export async function previewAlike(ctx: Ctx, subjects: Subject[]): Promise<BulkPreview> {
  const rows = await readAlike(ctx, subjects)
  return { items: rows.slice(0, BULK_LIMIT).map((row) => toMember(ctx, row)), isCut: rows.length > BULK_LIMIT }
}

type AlikeRow = ItemRow & { editedAt: Date | null; viewer: string | null }

/** A key names a type and a community: who reviews the item reviews all of them. Uses comment_alike and post_alike. */
function readAlike(ctx: Ctx, subjects: Subject[]): Promise<AlikeRow[]> {
  const most = atMost(BULK_LIMIT + 1)
  const idsOf = (type: Subject['subjectType']) =>
    subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  const items = sql`
    select * from (
      select ${COMMENT_ITEM}, c.edited_at from (
        select distinct text_key from comment
        where comment_id = any(${idsOf('comment')}::text[]) and ${mayInCommunity(ctx, 'reviewComments', sql`comment.community_id`)}) one
      cross join lateral (
        select * from comment c where ${IS_HELD} and c.text_key = one.text_key and ${isKey(sql`c.text_key`)}
        order by c.queued_at desc, c.comment_id ${most}) c
      union all
      select ${POST_ITEM}, p.edited_at from (
        select distinct text_key from post
        where post_id = any(${idsOf('post')}::text[]) and ${mayInCommunity(ctx, 'reviewPosts', sql`post.community_id`)}) one
      cross join lateral (
        select * from post p where ${IS_HELD_POST} and p.text_key = one.text_key and ${isKey(sql`p.text_key`)}
        order by p.queued_at desc, p.post_id ${most}) p) item
    order by queued_at desc, subject_id ${most}`
  return query<AlikeRow>(
    ctx,
    sql`${namedItems(items, { more: sql`, ${viewer(ctx)} as viewer` })} order by item.queued_at desc, item.subject_id`,
  )
}

const isKey = (column: Sql) => sql`${column} <> ${NO_TEXT_KEY}::uuid`

/** The colleague who has the item open. */
function viewer(ctx: Ctx): Sql {
  return sql`(
    select ${DESK_NAME} from lease l
    join network_user u on u.user_id = l.holder_id left join staff_account a on a.network_user_id = l.holder_id
    where l.subject_type = item.subject_type and l.subject_id = item.subject_id
      and l.expires_at > ${ctx.now()} and l.holder_id is distinct from ${actingUserId(ctx) ?? null})`
}

function toMember(ctx: Ctx, row: AlikeRow): PreviewedItem {
  const item = toQueueItem(ctx, row)
  const apart = apartOf(row)
  return {
    ...toPreviewed(ctx, item, item),
    ...(row.textKey !== null && { alikeKey: row.textKey }),
    ...(apart && { apart }),
  }
}

function apartOf({ escalationId, escalatedByName, viewer, flagCount, editedAt }: AlikeRow): PreviewedItem['apart'] {
  if (escalationId !== null) return { why: 'escalated', who: escalatedByName }
  if (viewer !== null) return { why: 'viewed', who: viewer }
  if (flagCount > 0) return { why: 'flagged' }
  return editedAt === null ? undefined : { why: 'edited' }
}
