import type { Ctx } from '#server/core/ctx.ts'

/** What a command ends with: one JSON object for `--json`, words for people, and whether it worked. */
export interface Outcome {
  json: Record<string, unknown>
  text: string
  hasFailed?: boolean
}

export interface CommandContext {
  ctx: Ctx
  secret: string
  /** Where this home keeps the head of the audit log. */
  auditHeadFile: string
}
