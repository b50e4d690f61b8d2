import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { readOwnDay } from '#server/modules/review/insights/read-own-day.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import type { ItemInput, ReviewItem } from '#server/modules/review/items/schema.ts'
import { releaseLease } from '#server/modules/review/leases/release-lease.ts'
import { takeLease } from '#server/modules/review/leases/take-lease.ts'
import type { Look, LookInput } from '#server/modules/review/look/schema.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'

/**
 * Moves the caller's lease to the item they opened, reads the next items ahead, and the counts again: in one request, as a desk does this after
 * each decision. Fails as `takeLease` does, and as `countMatching` does for a filter.
 */
export async function lookAt(ctx: Ctx, { subject, instead, ahead, counts }: LookInput): Promise<Look> {
  if (instead) await releaseLease(ctx, instead)
  const [lease, read, counted] = await Promise.all([
    takeLease(ctx, subject),
    Promise.all(ahead.map((item) => readIfReviewed(ctx, item))),
    counts && readCounts(ctx, counts),
  ])
  return { lease, ahead: read, ...(counted && { counts: counted }) }
}

async function readIfReviewed(ctx: Ctx, item: ItemInput): Promise<ReviewItem | null> {
  try {
    return await readItem(ctx, item)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

async function readCounts(
  ctx: Ctx,
  { filter, since }: NonNullable<LookInput['counts']>,
): Promise<NonNullable<Look['counts']>> {
  const [all, ownDay, matching] = await Promise.all([
    countQueue(ctx),
    readOwnDay(ctx, { since }),
    filter && countMatching(ctx, filter),
  ])
  return { all, ownDay, ...(matching && { matching }) }
}
