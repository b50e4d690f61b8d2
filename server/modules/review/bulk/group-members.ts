import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { toPreviewed } from '#server/modules/review/bulk/to-previewed.ts'
import { type ItemRow, namedItems, toQueueItem } from '#server/modules/review/queue/queue-item.ts'

/** One of several items that are decided together. */
export type MemberRow = ItemRow & { editedAt: Date | null; viewer: string | null }

/** Rows of `items`, each with when it was edited and the colleague who has it open. */
export function selectMembers(ctx: Ctx, items: Sql): Sql {
  const viewer = sql`(
    select ${DESK_NAME} from lease l
    join network_user u on u.user_id = l.holder_id left join staff_account a on a.network_user_id = l.holder_id
    where l.subject_type = item.subject_type::subject_type and l.subject_id = item.subject_id
      and l.expires_at > ${ctx.now()} and l.holder_id is distinct from ${actingUserId(ctx) ?? null})`
  const editedAt = sql`
    case item.subject_type when 'comment' then (select edited_at from comment where comment_id = item.subject_id)
      else (select edited_at from post where post_id = item.subject_id) end`
  return namedItems(items, { more: sql`, ${viewer} as viewer, ${editedAt} as edited_at` })
}

/** What deciding it with the others would do. */
export function toMember(ctx: Ctx, row: MemberRow): PreviewedItem {
  const item = toQueueItem(ctx, row)
  const apart = apartOf(row)
  return {
    ...toPreviewed(ctx, item, item),
    ...(row.textKey !== null && { alikeKey: row.textKey }),
    ...(apart && { apart }),
  }
}

function apartOf({ escalatedAt, escalatedByName, viewer, flagCount, editedAt }: MemberRow): PreviewedItem['apart'] {
  if (escalatedAt !== null) return { why: 'escalated', who: escalatedByName ?? '' }
  if (viewer !== null) return { why: 'viewed', who: viewer }
  if (flagCount > 0) return { why: 'flagged' }
  return editedAt === null ? undefined : { why: 'edited' }
}
