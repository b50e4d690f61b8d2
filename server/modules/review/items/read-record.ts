import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import type { Outcome, Subject } from '#server/modules/review/decisions/schema.ts'
import type { HistoryEntry, ReviewItem, SameWords, ShownFlag } from '#server/modules/review/items/schema.ts'

export interface DecisionRow {
  outcome: Outcome
  reason: string | null
  decidedByName: string
  decidedAt: Date
  undoneAt: Date | null
  isReversal: boolean
}

/** Oldest first; uses decision_subject_type_subject_id_decided_at_idx. */
export function readDecisions(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<DecisionRow[]> {
  return query<DecisionRow>(
    ctx,
    sql`
    select outcome, reason, decided_by_name, decided_at, undone_at,
      is_reversal
    from decision
    where subject_type = ${subjectType}::subject_type and subject_id = ${subjectId}
    order by decided_at, decision_id limit 100`,
  )
}

/**
 * The decision in force, among those that can end such an item: one with a dismissed report may still be held, an approved one
 * may be reported.
 */
export function decisionInForce(decisions: DecisionRow[], ends: readonly Outcome[]): ReviewItem['decided'] {
  const standing = decisions.findLast(({ outcome, undoneAt }) => undoneAt === null && ends.includes(outcome))
  return (
    standing && {
      outcome: standing.outcome,
      decidedByName: standing.decidedByName,
      decidedAt: timestampOf(standing.decidedAt),
      isReversible: false,
      ...(standing.reason !== null && { reason: standing.reason }),
    }
  )
}

export function toEntries(decisions: DecisionRow[]): HistoryEntry[] {
  return decisions.flatMap((decision) => [
    {
      what: decision.isReversal ? REVERSED[decision.outcome] : decision.outcome,
      at: timestampOf(decision.decidedAt),
      by: decision.decidedByName,
      ...(decision.reason !== null && { reason: decision.reason }),
    },
    ...(decision.undoneAt
      ? [{ what: 'undone' as const, at: timestampOf(decision.undoneAt), by: decision.decidedByName }]
      : []),
  ])
}

interface EscalationRow {
  escalatedAt: Date | null
  escalatedByName: string | null
  escalationNote: string | null
}

/** Who escalated it and why, while that is known: of a held item and of a report alike. */
export function escalationEntries({ escalatedAt, escalatedByName, escalationNote }: EscalationRow): HistoryEntry[] {
  if (escalatedAt === null) return []
  return [{ what: 'escalated', at: timestampOf(escalatedAt), by: escalatedByName ?? '', reason: escalationNote ?? '' }]
}

/** What a decision on something decided did: a rejection of what was approved, an approval of what rules rejected. */
const REVERSED = { approved: 'restored', rejected: 'reversed', dismissed: 'reversed', deleted: 'deleted' } as const

const FLAGS_SHOWN = 50

/** Who reported it, and why; uses flag_pkey, network_user_pkey and rule_pkey. */
export async function readFlags(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<ShownFlag[]> {
  const rows = await query<{
    userId: string
    displayName: string | null
    ruleVersion: number | null
    reason: string
    detail: string | null
    at: Date
    isCleared: boolean
  }>(
    ctx,
    sql`
    select f.user_id, coalesce(rule.name, u.display_name) as display_name, f.rule_version, f.reason, f.detail, f.created_at as at,
      f.cleared_at is not null as is_cleared
    from flag f left join network_user u on u.user_id = f.user_id and f.rule_version is null
      left join rule on rule.rule_id = f.user_id and f.rule_version is not null
    where f.subject_type = ${subjectType}::subject_type and f.subject_id = ${subjectId}
    order by f.created_at desc, f.user_id ${sql.raw(`limit ${FLAGS_SHOWN}`)}`,
  )
  return rows.map(({ userId, displayName, ruleVersion, detail, at, ...flag }) => ({
    ...flag,
    by: { userId, displayName: nameOf({ userId, displayName }) },
    ...(ruleVersion !== null && { ruleVersion }),
    ...(detail !== null && { detail }),
    at: timestampOf(at),
  }))
}

/** The people an item mentions. */
export async function readMentioned(ctx: Ctx, userIds: string[]): Promise<ReviewItem['mentioned']> {
  if (userIds.length === 0) return []
  const users = await query<{ userId: string; displayName: string | null }>(
    ctx,
    sql`
    select user_id, display_name from network_user where user_id = any(${userIds}::text[]) order by user_id`,
  )
  return users.map((user) => ({ userId: user.userId, displayName: nameOf(user) }))
}

/** Whether the caller reviews what `decision d` is on, as an SQL condition. */
export function mayReviewDecided(ctx: Ctx): Sql {
  const community = sql`d.community_id`
  return sql`case d.subject_type when 'comment' then ${mayInCommunity(ctx, 'reviewComments', community)}
    when 'post' then ${mayInCommunity(ctx, 'reviewPosts', community)} else false end`
}

const SAME_WORDS_SHOWN = 5

/** Earlier decisions on the same text. Uses decision_on_text. */
export async function readSameWords(ctx: Ctx, textDigest: Uint8Array | null): Promise<SameWords[]> {
  if (textDigest === null) return []
  const rows = await query<{
    subjectType: SameWords['subjectType']
    subjectId: string
    outcome: Outcome
    reason: string | null
    decidedAt: Date
    decidedByName: string
    communityId: string
    communityName: string
  }>(
    ctx,
    sql`
    select d.subject_type, d.subject_id, d.outcome, d.reason, d.decided_at,
      d.decided_by_name, k.community_id,
      coalesce(nullif(k.display_name, ''), k.community_id) as community_name
    from decision d join community k on k.community_id = d.community_id
    where d.text_digest = ${textDigest} and d.undone_at is null and d.outcome in ('approved', 'rejected')
      and ${mayReviewDecided(ctx)}
    order by d.decided_at desc, d.decision_id desc limit ${SAME_WORDS_SHOWN}`,
  )
  return rows.map(({ communityId, communityName, reason, decidedAt, ...same }) => ({
    ...same,
    ...(reason !== null && { reason }),
    decidedAt: timestampOf(decidedAt),
    community: { communityId, displayName: communityName },
  }))
}
