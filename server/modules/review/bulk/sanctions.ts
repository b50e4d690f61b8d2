import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'
import { liftAccountSanctions, sanctionAccounts } from '#server/modules/spaces/sanctions/sanction-accounts.ts'
import type { BanScope, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

/** Accounts banned or muted in one transaction: few enough that locks are held briefly. */
const ACCOUNTS_A_STEP = 25

/**
 * A query: who wrote these items and where they would be banned or muted for it, `user_id` and `space_id`, as far as the caller reviews the items.
 * `is_spared` for accounts that wrote one of `except`.
 */
export function selectAuthors(
  ctx: Ctx,
  scope: BanScope,
  { items, except }: { items: Subject[]; except: Subject[] },
): Sql {
  const spaceId = {
    channel: sql`k.channel_id`,
    community: sql`k.community_id`,
    network: sql`''`,
  }[scope]
  return sql`
    select distinct w.user_id, ${spaceId} as space_id,
      w.user_id in (select spared.user_id from (${authorsOf(ctx, except)}) spared) as is_spared
    from (${authorsOf(ctx, items)}) w join community k on k.community_id = w.community_id
    where ${spaceId} is not null`
}

function authorsOf(ctx: Ctx, items: Subject[]): Sql {
  return sql`select i.author_id as user_id, i.community_id from ${itemsOf(items)} where ${mayReviewHeld(ctx)}`
}

interface SanctionsOfBulk {
  bulkId: string
  sanction: SanctionKind | null
  sanctionScope: BanScope | null
  sanctionEndsAt: Date | null
  sanctionReason: string | null
  sanctionPolicyId: string | null
  isUndone: boolean
}

interface Account {
  position: number
  spaceId: string
  userId: string
  sanctionId: string | null
  isRejected: boolean
}

/**
 * Bans or mutes the next accounts of a bulk action whose items were rejected, or lifts the next of its bans or mutes if it was undone, in the
 * caller's transaction. Returns false once there are none left.
 */
export async function workOnSanctions(ctx: Ctx, bulk: SanctionsOfBulk): Promise<boolean> {
  const { bulkId, sanction, sanctionScope: scope, isUndone } = bulk
  if (sanction === null || scope === null) return false
  const accounts = await takeAccounts(ctx, { bulkId, scope, isUndone })
  const [first] = accounts
  if (first === undefined) return false
  const space = spaceOf(scope, first.spaceId)
  const positions = new Map(accounts.map(({ userId, position }) => [userId, position]))
  const positionOf = ({ userId }: { userId: string }) => positions.get(userId) ?? 0
  if (isUndone) {
    const lifted = await liftAccountSanctions(ctx, { sanction, space, sanctions: accounts })
    await noteLifted(
      ctx,
      bulkId,
      lifted.map((account) => ({ ...account, position: positionOf(account) })),
    )
    return true
  }
  const kept = accounts.filter(({ isRejected }) => !isRejected)
  const userIds = accounts.filter(({ isRejected }) => isRejected).map(({ userId }) => userId)
  const terms = {
    endsAt: bulk.sanctionEndsAt ?? undefined,
    reason: bulk.sanctionReason ?? undefined,
    policyId: bulk.sanctionPolicyId ?? undefined,
  }
  const made = userIds.length === 0 ? [] : await sanctionAccounts(ctx, { sanction, space, userIds, terms })
  await noteMade(ctx, bulkId, [
    ...kept.map(({ position }) => ({ position, sanctionId: null, failure: 'NOT_REJECTED' })),
    ...made.map((account) => ({ ...account, position: positionOf(account) })),
  ])
  return true
}

/** Takes the next accounts, all of one space. The caller has locked the bulk action. */
function takeAccounts(
  ctx: Ctx,
  { bulkId, scope, isUndone }: { bulkId: string; scope: BanScope; isUndone: boolean },
): Promise<Account[]> {
  const isNext = isUndone ? sql`b.state = 'done' and b.failure is null` : sql`b.state = 'waiting'`
  const isThere = {
    channel: sql`d.community_id in (select k.community_id from community k where k.channel_id = b.space_id)`,
    community: sql`d.community_id = b.space_id`,
    network: sql`true`,
  }[scope]
  // Uses decision_of_bulk.
  return query<Account>(
    ctx,
    sql`
    with rejected as materialized (
      select d.author_id, d.community_id from decision d where d.bulk_id = ${bulkId} and d.undone_at is null)
    select b.position, b.space_id, b.user_id, b.sanction_id::text as sanction_id,
      exists (select from rejected d where d.author_id = b.user_id and ${isThere}) as is_rejected
    from bulk_sanction b
    where b.bulk_id = ${bulkId} and ${isNext} and b.space_id = (
      select b.space_id from bulk_sanction b where b.bulk_id = ${bulkId} and ${isNext} order by b.position limit 1)
    order by b.position ${sql.raw(`limit ${ACCOUNTS_A_STEP}`)}`,
  )
}

async function noteMade(
  ctx: Ctx,
  bulkId: string,
  results: { position: number; sanctionId: string | null; failure: string | null }[],
): Promise<void> {
  await execute(
    ctx,
    sql`
    update bulk_sanction b set failure = r.failure, sanction_id = r."sanctionId"::bigint,
      state = (case when r.failure is null then 'done' else 'refused' end)::bulk_item_state
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r(position int, "sanctionId" text, failure text)
    where b.bulk_id = ${bulkId} and b.position = r.position`,
  )
}

async function noteLifted(
  ctx: Ctx,
  bulkId: string,
  results: { position: number; failure: string | null }[],
): Promise<void> {
  await execute(
    ctx,
    sql`
    update bulk_sanction b set failure = r.failure, state = (case when r.failure is null then 'undone' else 'done' end)::bulk_item_state
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r(position int, failure text)
    where b.bulk_id = ${bulkId} and b.position = r.position`,
  )
}
