import type { Ctx } from '#server/core/ctx.ts'
import { toRecord } from '#server/modules/review/decisions/apply-decision.ts'
import { commentHandler } from '#server/modules/review/decisions/handlers/comment.ts'
import { recordDecisions } from '#server/modules/review/decisions/record-decision.ts'

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
  const { atOnce } = commentHandler
  const item = await atOnce?.readOne(reader, input)
  if (atOnce === undefined || item === undefined) return undefined
  return async (ctx) => {
    const move = { from: 'waiting', to: input.outcome, version: NO_VERSION, at: ctx.now() } as const
    const change = item.changeTo(ctx, move)
    if (change === undefined) return
    const approval = { item, after: NO_VERSION + 1, input, from: 'waiting', reason: undefined, ...change } as const
    const moved = atOnce.moved(ctx, [{ ...item, version: NO_VERSION }], move)
    await recordDecisions(ctx, { moved, planned: [toRecord(ctx, commentHandler, approval)] })
  }
}
