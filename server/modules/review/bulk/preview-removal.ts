import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { selectRemovable } from '#server/modules/review/bulk/removable.ts'
import {
  type PreviewRemoval,
  REMOVAL_LIMIT,
  REMOVAL_SHOWN,
  type RemovalCounts,
  type RemovalPreview,
  type RemovedItem,
} from '#server/modules/review/bulk/schema.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'

/**
 * What a person wrote that the caller would remove with a ban: how many items of each kind, and the first of them. Counts only what the caller may
 * decide, in the scope in which `startRemoval` removes it. Changes nothing.
 */
export async function previewRemoval(ctx: Ctx, input: PreviewRemoval): Promise<RemovalPreview> {
  const { authorId, space, item, withinMinutes } = input
  const since = typeof withinMinutes === 'number' ? new Date(ctx.now().getTime() - withinMinutes * 60_000) : undefined
  const published = withinMinutes === undefined ? undefined : { since }
  const removable = { authorId, space, item, isHeldIncluded: true, published }
  const [counted, rows] = await Promise.all([
    query<CountRow>(
      ctx,
      sql`
      select w.is_published, w.subject_type, count(*)::int as count, (count(*) filter (where w.is_claimed))::int as claimed
      from (${selectRemovable(ctx, removable, REMOVAL_LIMIT + 1)}) w group by 1, 2`,
    ),
    query<ItemRow>(
      ctx,
      sql`
      select w.*, coalesce(nullif(coalesce(k.display_name, c.display_name), ''), w.community_id, w.channel_id, '') as place_name
      from (${selectRemovable(ctx, removable, REMOVAL_SHOWN)}) w
      left join community k on k.community_id = w.community_id left join channel c on c.channel_id = w.channel_id`,
    ),
  ])
  return {
    at: timestampOf(ctx.now()),
    ...(since && { since: timestampOf(since) }),
    counts: toCounts(counted),
    items: rows.map(toItem),
    isCut: counted.reduce((sum, { count }) => sum + count, 0) > REMOVAL_LIMIT,
  }
}

interface CountRow {
  isPublished: boolean
  subjectType: SubjectType
  count: number
  claimed: number
}

function toCounts(rows: CountRow[]): RemovalCounts {
  const sum = (of: (row: CountRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const published = (type: SubjectType) =>
    sum(({ isPublished, subjectType, count }) => (isPublished && subjectType === type ? count : 0))
  return {
    held: sum(({ isPublished, count, claimed }) => (isPublished ? 0 : count - claimed)),
    claimed: sum(({ claimed }) => claimed),
    comments: published('comment'),
    posts: published('post'),
    messages: published('message'),
  }
}

interface ItemRow {
  subjectType: RemovedItem['subjectType']
  subjectId: string
  version: number
  isPublished: boolean
  writtenAt: Date
  data: Record<string, unknown> | null
  flagCount: number
  isClaimed: boolean
  placeName: string
}

function toItem({ subjectType, subjectId, version, data, ...row }: ItemRow): RemovedItem {
  const said = [data?.title, data?.text].find((words) => typeof words === 'string' && words !== '')
  return {
    subjectType,
    subjectId,
    version,
    isPublished: row.isPublished,
    writtenAt: timestampOf(row.writtenAt),
    excerpt: excerptOf(typeof said === 'string' ? said : '') ?? '',
    isFlagged: row.flagCount > 0,
    placeName: row.placeName,
    ...(row.isClaimed && { error: 'CLAIMED' as const }),
  }
}
