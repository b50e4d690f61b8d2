import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { HOLDABLE, type Holdable, MOST_ALIKE, selectAlike } from '#server/modules/review/bulk/alike.ts'
import { type MemberRow, selectMembers, toMember } from '#server/modules/review/bulk/group-members.ts'
import { BULK_LIMIT, type BulkPreview } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { COMMENT_ITEM, POST_ITEM } from '#server/modules/review/queue/queue-item.ts'

/**
 * Previews a decision on everything that is held with the same text as one of these items (docs/decisions/0198), newest first. Items that the
 * caller doesn't review add nothing.
 */
export async function previewAlike(ctx: Ctx, subjects: Subject[]): Promise<BulkPreview> {
  const rows = await readAlike(ctx, subjects)
  return { items: rows.slice(0, BULK_LIMIT).map((row) => toMember(ctx, row)), isCut: rows.length > BULK_LIMIT }
}

function readAlike(ctx: Ctx, subjects: Subject[]): Promise<MemberRow[]> {
  const items = sql`
    select * from (
      ${alikeOf(ctx, HOLDABLE.comment, { item: COMMENT_ITEM, subjects })}
      union all
      ${alikeOf(ctx, HOLDABLE.post, { item: POST_ITEM, subjects })}) item
    order by queued_at desc, subject_id ${MOST_ALIKE}`
  return query<MemberRow>(ctx, sql`${selectMembers(ctx, items)} order by item.queued_at desc, item.subject_id`)
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
