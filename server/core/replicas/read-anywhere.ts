import type { Ctx } from '#server/core/ctx.ts'
import { isInTransaction, onSharedConnections } from '#server/core/db.ts'

/** Runs a call that only reads on a replica, if there are any, or on shared connections; in the context's transaction if it has one. */
export function readAnywhere<Call extends Ctx, Result>(
  ctx: Call,
  act: (ctx: Call) => Promise<Result>,
): Promise<Result> {
  if (isInTransaction(ctx)) return act(ctx)
  if (ctx.replicas === undefined) return readOnPrimary(ctx, act)
  return ctx.replicas.read((db) => act(onSharedConnections({ ...ctx, db })))
}

/** Runs a call that only the primary may answer, on shared connections; in the context's transaction if it has one. */
export function readOnPrimary<Call extends Ctx, Result>(
  ctx: Call,
  act: (ctx: Call) => Promise<Result>,
): Promise<Result> {
  return act(onSharedConnections(ctx))
}
