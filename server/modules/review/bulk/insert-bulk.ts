import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { BanScope, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'

interface NewBulk {
  bulkId: string
  outcome: HeldOutcome
  reason?: string | undefined
  reasonId?: string | undefined
  sanction?:
    | {
        sanction: SanctionKind
        scope: BanScope
        endsAt: Date | undefined
        reason?: string | undefined
        policyId?: string | undefined
      }
    | undefined
}

/** Stores a bulk action without its items. Returns false where its id is known already. FORBIDDEN for a caller that is not a person. */
export async function insertBulk(ctx: Ctx, { bulkId, outcome, reason, reasonId, sanction }: NewBulk): Promise<boolean> {
  const madeBy = actingUserId(ctx)
  if (madeBy === undefined) throw new DomainError('FORBIDDEN')
  const made = await execute(
    ctx,
    sql`
    insert into bulk (bulk_id, made_by, made_by_name, outcome, reason, reason_id, created_at, worked_at,
      sanction, sanction_scope, sanction_ends_at, sanction_reason, sanction_policy_id)
    values (${bulkId}, ${madeBy}, ${actorName(ctx)}, ${outcome}, ${reason ?? null}, ${reasonId ?? null}, ${ctx.now()}, ${ctx.now()},
      ${sanction?.sanction ?? null}::sanction_kind, ${sanction?.scope ?? null}::ban_scope, ${sanction?.endsAt ?? null}, ${sanction?.reason ?? null},
      ${sanction?.policyId ?? null})
    on conflict (bulk_id) do nothing`,
  )
  return made > 0
}

/** When a ban or mute of so many minutes ends. */
export function endOf(ctx: Ctx, minutes: number | null): Date | undefined {
  return minutes === null ? undefined : new Date(ctx.now().getTime() + minutes * 60_000)
}
