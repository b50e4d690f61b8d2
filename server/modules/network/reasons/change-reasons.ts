import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { listReasons } from '#server/modules/network/reasons/list-reasons.ts'
import {
  REASONS_LIMIT,
  type ReasonChange,
  type ReasonFields,
  type ReasonInput,
  type ReasonOrder,
  type RejectionReason,
} from '#server/modules/network/reasons/schema.ts'

/** Adds a reason at the end. All of these need MANAGE_NETWORK_SETTINGS, and return the reasons after the change. */
export function addReason(ctx: Ctx, input: ReasonFields): Promise<RejectionReason[]> {
  return change(ctx, async (ctx, reasons) => {
    if (reasons.length >= REASONS_LIMIT)
      throw new DomainError('INVALID_PARAMETERS', { detail: [`reasons: there can be at most ${REASONS_LIMIT}`] })
    await assertPolicy(ctx, input.policyId)
    const added = await queryOne<{ reasonId: string }>(
      ctx,
      sql`
      insert into rejection_reason (position, label, text_to_author, policy_id, updated_by, created_at, updated_at)
      select coalesce(max(position), 0) + 1, ${input.label}, ${input.textToAuthor || null}, ${input.policyId ?? null},
        ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${ctx.now()}
      from rejection_reason returning reason_id`,
    )
    return { action: 'reason.added', subjectId: added?.reasonId ?? '', after: { ...input } }
  })
}

/** Fails with NOT_FOUND for one that is not in use. */
export function changeReason(ctx: Ctx, { reasonId, ...input }: ReasonChange): Promise<RejectionReason[]> {
  return change(ctx, async (ctx, reasons) => {
    const before = requireGiven(reasons, reasonId)
    await assertPolicy(ctx, input.policyId, before.policyId)
    await execute(
      ctx,
      sql`
      update rejection_reason set label = ${input.label}, text_to_author = ${input.textToAuthor || null},
        policy_id = ${input.policyId ?? null}, updated_by = ${actingUserId(ctx) ?? null}, updated_at = ${ctx.now()}
      where reason_id = ${reasonId}`,
    )
    const { reasonId: _, ...fields } = before
    return { action: 'reason.changed', subjectId: reasonId, before: fields, after: { ...input } }
  })
}

/** Removed from use; content that was rejected for it keeps it. */
export function archiveReason(ctx: Ctx, { reasonId }: ReasonInput): Promise<RejectionReason[]> {
  return change(ctx, async (ctx, reasons) => {
    requireGiven(reasons, reasonId)
    await execute(
      ctx,
      sql`
      update rejection_reason set is_archived = true, updated_by = ${actingUserId(ctx) ?? null}, updated_at = ${ctx.now()}
      where reason_id = ${reasonId}`,
    )
    return { action: 'reason.archived', subjectId: reasonId }
  })
}

/** Fails with CHANGED where the reasons in use are not those that the caller saw. */
export function orderReasons(ctx: Ctx, { reasonIds }: ReasonOrder): Promise<RejectionReason[]> {
  return change(ctx, async (ctx, reasons) => {
    const given = reasons.map(({ reasonId }) => reasonId)
    if (given.toSorted().join('\n') !== reasonIds.toSorted().join('\n')) throw new DomainError('CHANGED')
    await execute(
      ctx,
      sql`
      update rejection_reason r set position = ordered.position
      from unnest(${reasonIds}::text[]) with ordinality as ordered(reason_id, position)
      where r.reason_id = ordered.reason_id`,
    )
    return { action: 'reason.ordered', subjectId: 'all', before: { reasonIds: given }, after: { reasonIds } }
  })
}

interface Change {
  action: string
  subjectId: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** One change at a time: the order is shared by all of them. */
async function change(
  ctx: Ctx,
  act: (ctx: Ctx, reasons: RejectionReason[]) => Promise<Change>,
): Promise<RejectionReason[]> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    await execute(ctx, sql`lock table rejection_reason in share row exclusive mode`)
    const changed = await act(ctx, await listReasons(ctx))
    await recordAudit(ctx, { subjectType: 'reason', ...changed })
    return listReasons(ctx)
  })
}

function requireGiven(reasons: RejectionReason[], reasonId: string): RejectionReason {
  const reason = reasons.find((given) => given.reasonId === reasonId)
  if (reason === undefined) throw new DomainError('NOT_FOUND')
  return reason
}
