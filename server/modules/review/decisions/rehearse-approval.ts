import type { Ctx } from '#server/core/ctx.ts'
import { recordPlanned } from '#server/modules/review/decisions/decide-items.ts'
import { commentHandler } from '#server/modules/review/decisions/handlers/comment.ts'
import { handlerOf } from '#server/modules/review/decisions/handlers/handlers.ts'

/** No item ever has it. */
const NO_VERSION = -1

/** Sends what an approval would send, for the caller of `ctx`. */
export type Rehearse = (ctx: Ctx) => Promise<void>

/**
 * Reads a held comment as `reader`. The function it returns sends the statement that approves it, but for a version which it never has:
 * nothing changes. So a process has the statement prepared before its first decision. Undefined for a comment that `reader` doesn't see.
 */
export async function rehearseApproval(reader: Ctx, commentId: string): Promise<Rehearse | undefined> {
  const input = { subjectType: 'comment', subjectId: commentId, outcome: 'approved' } as const
  const item = await commentHandler.atOnce?.readOne(reader, input)
  if (item === undefined) return undefined
  return async (ctx) => {
    const move = { from: 'waiting', to: input.outcome, at: ctx.now() } as const
    const change = await item.changeTo(ctx, move)
    if (change === undefined) return
    const planned = { input, item: { ...item, version: NO_VERSION }, change, reason: undefined }
    await recordPlanned(ctx, handlerOf('comment', 'approved'), move, [planned])
  }
}
