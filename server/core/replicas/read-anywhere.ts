import type { Ctx } from '#server/core/ctx.ts'
import { isInTransaction } from '#server/core/db.ts'

/** Runs a call that only reads on a replica, if there are any; in the context's transaction if it has one. */
export function readAnywhere<Call extends Ctx, Result>(
  ctx: Call,
  act: (ctx: Call) => Promise<Result>,
): Promise<Result> {
  if (ctx.replicas === undefined || isInTransaction(ctx)) return act(ctx)
  return ctx.replicas.read((db) => act({ ...ctx, db }))
}
