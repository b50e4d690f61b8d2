import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import { findAlike } from '#server/modules/review/bulk/alike.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import type { BulkPreview, PreviewedItem, PreviewLike } from '#server/modules/review/bulk/schema.ts'
import { toPreviewed } from '#server/modules/review/bulk/to-previewed.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'
import { HELD_ITEM, type ItemRow, namedItems, toQueueItem } from '#server/modules/review/queue/queue-item.ts'

/**
 * Previews a decision on what is held and says the same as one of these items, newest first (docs/decisions/0198), or nearly the same as one, the
 * least similar first (docs/decisions/0239). Nothing for items that the caller doesn't review, or that nothing is like.
 */
export async function previewMembers(ctx: Ctx, like: PreviewLike): Promise<BulkPreview> {
  const found: Members | undefined = 'alike' in like ? await findAlike(ctx, like.alike) : await findWave(ctx, like.wave)
  if (found === undefined) return { items: [], isCut: false }
  const rows = await readMembers(ctx, found.members)
  const known = new Map(rows.map((row) => [keyOf(row), row]))
  const items = found.members.flatMap((member) => {
    const row = known.get(keyOf(member))
    return row ? [toMember(ctx, row)] : []
  })
  return { items, isCut: found.isCut, ...present({ overTime: found.overTime }) }
}

interface Members extends Pick<BulkPreview, 'isCut' | 'overTime'> {
  members: Subject[]
}

const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`

/** An item, when it was edited, and the colleague who has it open. */
type MemberRow = ItemRow & { editedAt: Date | null; viewer: string | null }

function readMembers(ctx: Ctx, members: Subject[]): Promise<MemberRow[]> {
  const items = sql`select ${HELD_ITEM} from ${itemsOf(members)} where ${IS_HELD} and ${mayReviewHeld(ctx)}`
  const viewer = sql`(
    select ${DESK_NAME} from lease l
    join network_user u on u.user_id = l.holder_id left join staff_account a on a.network_user_id = l.holder_id
    where l.subject_type = item.subject_type::subject_type and l.subject_id = item.subject_id
      and l.expires_at > ${ctx.now()} and l.holder_id is distinct from ${actingUserId(ctx) ?? null})`
  const editedAt = sql`
    case item.subject_type when 'comment' then (select edited_at from comment where comment_id = item.subject_id)
      else (select edited_at from post where post_id = item.subject_id) end`
  return query<MemberRow>(ctx, namedItems(items, { more: sql`, ${viewer} as viewer, ${editedAt} as edited_at` }))
}

/** What deciding it with the others would do. */
function toMember(ctx: Ctx, row: MemberRow): PreviewedItem {
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
