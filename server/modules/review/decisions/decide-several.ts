import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { chooseReason } from '#server/modules/network/reasons/require-reason.ts'
import { toDecided, toRecord } from '#server/modules/review/decisions/apply-decision.ts'
import { findHandler } from '#server/modules/review/decisions/handlers/handlers.ts'
import { isOthersClaim } from '#server/modules/review/decisions/may-decide.ts'
import { recordDecisions } from '#server/modules/review/decisions/record-decision.ts'
import type { Decided, Deciding, SubjectType } from '#server/modules/review/decisions/schema.ts'

interface Several extends Omit<Deciding, 'version' | 'clientKey' | 'despiteClaimOf'> {
  subjectType: SubjectType
  /** Each at the version the caller saw. */
  items: { subjectId: string; version: number }[]
}

/**
 * Decides on held items of one type: one statement reads them, another changes those that are still the same and records their decisions.
 * Returns these; every other item stays as it is, and `decide` says why.
 */
export async function decideSeveral(ctx: Ctx, { items, ...deciding }: Several): Promise<Decided[]> {
  const { subjectType, outcome } = deciding
  const kind = findHandler(subjectType, outcome)
  if (kind?.atOnce === undefined || items.length === 0) return []
  const ids = items.map(({ subjectId }) => subjectId)
  const undecided = await kind.atOnce.readSeveral(ctx, ids, deciding)
  const move = { from: 'waiting', to: outcome, at: ctx.now() } as const
  const planned = items.flatMap(({ subjectId, version }) => {
    const item = undecided.get(subjectId)
    const isOpen = item?.isWaiting && item.version === version && item.mayReview && !isOthersClaim(ctx, item)
    if (!isOpen || item.authorId === actingUserId(ctx)) return []
    const change = item.changeTo(ctx, { ...move, version })
    const isReasonKnown = deciding.reasonId === undefined || item.managedReason !== null
    if (change === undefined || !isReasonKnown) return []
    const reason = chooseReason(deciding, item.managedReason)
    const input = { ...deciding, subjectId }
    return [
      { seen: item, ...toRecord(ctx, kind, { item, after: version + 1, input, from: 'waiting', reason, ...change }) },
    ]
  })
  const [first, ...others] = planned
  if (first === undefined) return []
  const seen = planned.map(({ seen }) => seen)
  const moved = kind.atOnce.moved(ctx, seen, move)
  const recorded = await recordDecisions(ctx, { moved, planned: [first, ...others] })
  return recorded.map((decision) => toDecided({ ...deciding, subjectId: decision.subjectId }, decision))
}
