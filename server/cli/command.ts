import type { Ctx } from '#server/core/ctx.ts'
import type { Home } from '#server/core/home.ts'

/** What a command prints: one JSON object for `--json`, text otherwise, and whether it succeeded. */
export interface Outcome {
  json: Record<string, unknown>
  text: string
  hasFailed?: boolean
}

export interface CommandContext {
  ctx: Ctx
  secret: string
  /** Where this home stores the head of the audit log. */
  auditHeadFile: string
  asOwner: Home['asOwner']
}
