import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import type { PolicyKind } from '#server/modules/spaces/author-policies/schema.ts'

export interface StoredPolicy {
  policyId: string
  userId: string
  communityId: string | null
  kind: PolicyKind
  endsAt: Date | null
}

/** The columns of `StoredPolicy`, of policy `a`. */
export const STORED_POLICY = sql`a.policy_id::text as policy_id, a.user_id, a.community_id, a.kind::text as kind, a.ends_at`

interface PolicyAct {
  policy: StoredPolicy
  act: 'set' | 'ended'
  /** The one that was in force before. */
  replaced?: StoredPolicy | undefined
}

const ACTIONS = { trust: 'user.trusted', hold: 'user.alwaysHeld' } as const

/**
 * Logs that policies were set or have ended, and tells desks, in one statement. The event's subject is the policy: what is published about a person, that
 * person may receive.
 */
export async function publishPolicies(ctx: Ctx, acts: PolicyAct[]): Promise<void> {
  if (acts.length === 0) return
  const audits = acts.map(({ policy, act, replaced }) => ({
    action: act === 'set' ? ACTIONS[policy.kind] : 'user.policyEnded',
    subjectType: 'user',
    subjectId: policy.userId,
    communityId: policy.communityId,
    ...(act === 'set'
      ? { ...(replaced && { before: toState(replaced) }), after: toState(policy) }
      : { before: toState(policy) }),
  }))
  const events = acts.map(({ policy: { policyId, userId, communityId }, act }) => ({
    name: act === 'set' ? ('desk.authorPolicy.didSet' as const) : ('desk.authorPolicy.didEnd' as const),
    subjectType: 'authorPolicy',
    subjectId: policyId,
    communityId,
    payload: { policyId, userId },
    isDeskOnly: true,
  }))
  await execute(ctx, sql`with ${auditTables(ctx, audits)}, ${eventTables(ctx, events)} select from stored_event`)
}

function toState({ policyId, kind, endsAt }: StoredPolicy): Record<string, string> {
  return { policyId, policy: kind, ...(endsAt && { endsAt: endsAt.toISOString() }) }
}
