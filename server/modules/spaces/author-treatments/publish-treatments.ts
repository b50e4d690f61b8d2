import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import type { TreatmentKind } from '#server/modules/spaces/author-treatments/schema.ts'

export interface StoredTreatment {
  treatmentId: string
  userId: string
  communityId: string | null
  kind: TreatmentKind
  endsAt: Date | null
}

/** The columns of `StoredTreatment`, of treatment `a`. */
export const STORED_TREATMENT = sql`a.treatment_id::text as treatment_id, a.user_id, a.community_id, a.kind::text as kind, a.ends_at`

interface TreatmentAct {
  treatment: StoredTreatment
  act: 'set' | 'ended'
  /** The one that was in force before. */
  replaced?: StoredTreatment | undefined
}

const ACTIONS = { trust: 'user.trusted', hold: 'user.alwaysHeld' } as const

/**
 * Logs that treatments were set or have ended, and tells desks, in one statement. The event's subject is the treatment: what is published about a person, that
 * person may receive.
 */
export async function publishTreatments(ctx: Ctx, acts: TreatmentAct[]): Promise<void> {
  if (acts.length === 0) return
  const audits = acts.map(({ treatment, act, replaced }) => ({
    action: act === 'set' ? ACTIONS[treatment.kind] : 'user.treatmentEnded',
    subjectType: 'user',
    subjectId: treatment.userId,
    communityId: treatment.communityId,
    ...(act === 'set'
      ? { ...(replaced && { before: toState(replaced) }), after: toState(treatment) }
      : { before: toState(treatment) }),
  }))
  const events = acts.map(({ treatment: { treatmentId, userId, communityId }, act }) => ({
    name: act === 'set' ? ('desk.authorTreatment.didSet' as const) : ('desk.authorTreatment.didEnd' as const),
    subjectType: 'authorTreatment',
    subjectId: treatmentId,
    communityId,
    payload: { treatmentId, userId },
    isDeskOnly: true,
  }))
  await execute(ctx, sql`with ${auditTables(ctx, audits)}, ${eventTables(ctx, events)} select from stored_event`)
}

function toState({ treatmentId, kind, endsAt }: StoredTreatment): Record<string, string> {
  return { treatmentId, treatment: kind, ...(endsAt && { endsAt: endsAt.toISOString() }) }
}
