import type { Ctx } from '#server/core/ctx.ts'
import { toRecord } from '#server/modules/review/decisions/apply-decision.ts'
import { commentHandler } from '#server/modules/review/decisions/handlers/comment.ts'
import { recordDecision } from '#server/modules/review/decisions/record-decision.ts'

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
  const item = await commentHandler.readUndecided?.(reader, input)
  if (item === undefined) return undefined
  return async (ctx) => {
    const change = item.changeTo(ctx, { from: 'waiting', to: input.outcome, version: NO_VERSION })
    if (change === undefined) return
    const { moved, deltas, event } = change
    const approval = { item, after: NO_VERSION + 1, input, from: 'waiting', reason: undefined, event } as const
    await recordDecision(ctx, { moved, deltas, ...toRecord(ctx, commentHandler, approval) })
  }
}
