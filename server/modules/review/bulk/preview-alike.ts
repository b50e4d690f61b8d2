import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { HOLDABLE, type Holdable, MOST_ALIKE, selectAlike } from '#server/modules/review/bulk/alike.ts'
import { BULK_LIMIT, type BulkPreview, type PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { toPreviewed } from '#server/modules/review/bulk/to-previewed.ts'
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

function readAlike(ctx: Ctx, subjects: Subject[]): Promise<AlikeRow[]> {
  const items = sql`
    select * from (
      ${alikeOf(ctx, HOLDABLE.comment, { item: COMMENT_ITEM, subjects })}
      union all
      ${alikeOf(ctx, HOLDABLE.post, { item: POST_ITEM, subjects })}) item
    order by queued_at desc, subject_id ${MOST_ALIKE}`
  return query<AlikeRow>(
    ctx,
    sql`${namedItems(items, { more: sql`, ${viewer(ctx)} as viewer` })} order by item.queued_at desc, item.subject_id`,
  )
}

function alikeOf(ctx: Ctx, kind: Holdable, { item, subjects }: { item: Sql; subjects: Subject[] }): Sql {
  const { type, table, alias, id } = kind
  const ids = subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  return sql`
    select ${item}, ${alias}.edited_at from (
      select distinct ${alias}.text_key from ${table} ${alias}
      where ${id} = any(${ids}::text[]) and ${mayReviewContent(ctx, kind)}) one
    cross join lateral (${selectAlike(kind, sql`*`)}) ${alias}`
}

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
