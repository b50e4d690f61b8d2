import type { Ctx } from '#server/core/ctx.ts'

/** The context for what rules do: the log names `rules` as the actor, and not the author of the content. */
export function asRules(ctx: Ctx): Ctx {
  return { ...ctx, actor: { kind: 'system', name: 'rules' } }
}
