import type { Ctx } from '#server/core/ctx.ts'
import { isAcrossKinds } from '#server/modules/review/queue/across-kinds.ts'
import type { ListOptions } from '#server/modules/review/queue/kind.ts'
import { kindOfView } from '#server/modules/review/queue/kinds.ts'
import { listAcrossKinds } from '#server/modules/review/queue/list-across-kinds.ts'
import type { DeskQueueInput, QueuePage } from '#server/modules/review/queue/schema.ts'

/**
 * The desk's queue: what is pending in one community, or in all that the caller reviews, paged by cursor. Fails with NOT_FOUND for an unknown community,
 * FORBIDDEN for one the caller does not review, INVALID_PARAMETERS for an invalid cursor.
 */
export function listDeskQueue(ctx: Ctx, input: DeskQueueInput, options: ListOptions = {}): Promise<QueuePage> {
  const { view } = input
  return isAcrossKinds(view)
    ? listAcrossKinds(ctx, { ...input, view }, options)
    : kindOfView(view).list(ctx, input, options)
}
