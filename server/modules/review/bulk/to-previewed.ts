import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import type { BulkError, PreviewedItem, SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** What a bulk action would do with an item that the caller saw at this version. */
export function toPreviewed(
  ctx: Ctx,
  seen: SeenItem,
  item: QueueItem | undefined,
  decided?: PreviewedItem['decided'],
): PreviewedItem {
  const error = errorOf(ctx, seen, item)
  return {
    subjectType: seen.subjectType,
    subjectId: seen.subjectId,
    version: seen.version,
    excerpt: excerptOf(item?.title ?? item?.text ?? '') ?? '',
    isFlagged: (item?.flagCount ?? 0) > 0,
    ...(item?.alike && { alikeKey: item.alike.key }),
    authorName: item?.author.displayName ?? '',
    communityName: item?.community?.displayName ?? '',
    ...(error && { error }),
    ...(error === 'CLAIMED' && item?.claim && { claimedByName: item.claim.by.displayName }),
    ...(error === 'CHANGED' && decided && { decided }),
  }
}

function errorOf(ctx: Ctx, seen: SeenItem, item: QueueItem | undefined): BulkError | undefined {
  if (item === undefined) return 'NOT_FOUND'
  if (item.author.userId === actingUserId(ctx)) return 'FORBIDDEN'
  if (item.allowed.length === 0 || item.version !== seen.version) return 'CHANGED'
  return item.claim && item.claim.by.userId !== actingUserId(ctx) ? 'CLAIMED' : undefined
}
