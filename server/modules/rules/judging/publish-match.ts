import type { Ctx } from '#server/core/ctx.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { rulesOf } from '#server/modules/rules/judging/judge-content.ts'

interface Matched {
  type: string
  id: string
  communityId: string | null
}

/** Tells desks which rules acted on something: the events of these acts leave them out, as they also go to webhooks. */
export async function publishMatch(ctx: Ctx, { type, id, communityId }: Matched, fired: FiredRule[]): Promise<void> {
  const payload = { [`${type}Id`]: id, ...rulesOf(fired) }
  const name = `desk.${type}.didMatch` as const
  await recordEvent(ctx, { name, subjectType: type, subjectId: id, communityId, payload, isDeskOnly: true })
}
