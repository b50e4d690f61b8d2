import type { BanTerms } from '#server/core/ban-terms.ts'
import { type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { lockRows } from '#server/modules/spaces/membership/act-on-people.ts'
import { mayActOn } from '#server/modules/spaces/membership/find-people.ts'
import { idsOf } from '#server/modules/spaces/membership/lock-people.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { banLocked, releaseEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import { selectBanFailures } from '#server/modules/spaces/sanctions/ban-failures.ts'
import type { BanFailure, BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { kindOf, spaceIdOf } from '#server/modules/spaces/sanctions/space-of.ts'

/** What became of one account: banned by `banId`, or why not. */
export interface AccountBan {
  userId: string
  banId: string | null
  failure: BanFailure | null
}

/**
 * Bans those of the accounts from one space that the caller can ban there together with others, in the caller's transaction, with an audit row
 * for each, and says why not the others. Locks as other bans do: of two callers at once, one bans an account. The same number of statements
 * for any number of accounts.
 */
export async function banAccounts(
  ctx: Ctx,
  { space, userIds, terms }: { space: BanSpace; userIds: string[]; terms: BanTerms },
): Promise<AccountBan[]> {
  const found = await readFailures(ctx, space, userIds)
  const candidates = bannableOf(found)
  const failure = await lockAccounts(ctx, space, { userIds: candidates, act: 'banned' })
  // Checked again once they are locked.
  const locked = failure
    ? candidates.map((userId) => ({ userId, failure }))
    : await readFailures(ctx, space, candidates)
  const bannable = bannableOf(locked)
  const made = new Map(bannable.length === 0 ? [] : await banLockedAccounts(ctx, space, { userIds: bannable, terms }))
  return [...found.filter((account) => account.failure !== null), ...locked].map((account) => ({
    ...account,
    banId: made.get(account.userId) ?? null,
  }))
}

type Judged = Pick<AccountBan, 'userId' | 'failure'>

const bannableOf = (accounts: Judged[]) => idsOf(accounts.filter(({ failure }) => failure === null))

async function readFailures(ctx: Ctx, space: BanSpace, userIds: string[]): Promise<Judged[]> {
  if (userIds.length === 0) return []
  const wanted = sql`select ${spaceIdOf(space)}::text as space_id, id as user_id from unnest(${userIds}::text[]) id`
  return query<Judged>(ctx, selectBanFailures(ctx, space.scope, wanted))
}

/** The ids of their bans, by user. */
async function banLockedAccounts(
  ctx: Ctx,
  space: BanSpace,
  { userIds, terms }: { userIds: string[]; terms: BanTerms },
): Promise<[string, string][]> {
  if (space.scope === 'network') await banLocked(ctx, { userIds, terms })
  else {
    const { kind, spaceId } = kindOf(space)
    await ban(ctx, kind, { spaceId, userIds, terms })
  }
  const bans = await query<{ userId: string; banId: string }>(
    ctx,
    sql`select b.user_id, b.ban_id::text as ban_id from ban b where ${inForce(space)} and b.user_id = any(${userIds})`,
  )
  return bans.map(({ userId, banId }) => [userId, banId])
}

/** Bans in force in a space. Uses ban_in_force. */
function inForce(space: BanSpace): Sql {
  return sql`b.scope = ${space.scope}::ban_scope and coalesce(b.community_id, b.channel_id, '') = ${spaceIdOf(space)} and b.lifted_at is null`
}

/**
 * Lifts exactly these bans of one space, in the caller's transaction. One that somebody has lifted since stays lifted, and a new ban in its place
 * stays in force: CHANGED. Fails for nobody but says why an account stays banned.
 */
export async function liftAccountBans(
  ctx: Ctx,
  { space, bans }: { space: BanSpace; bans: { userId: string; banId: string | null }[] },
): Promise<Judged[]> {
  const userIds = idsOf(bans)
  const failure = await lockAccounts(ctx, space, { userIds, act: 'unbanned' })
  if (failure) return userIds.map((userId) => ({ userId, failure }))
  const user = sql`b.user_id`
  const isBelow =
    space.scope === 'network'
      ? outranks(ctx, user, 'network')
      : mayActOn(ctx, kindOf(space).kind, spaceIdOf(space), user)
  const standing = await query<{ userId: string; isBelow: boolean }>(
    ctx,
    sql`
    select b.user_id, ${isBelow} as is_below from ban b
    where ${inForce(space)} and b.ban_id = any(${bans.map(({ banId }) => banId)}::bigint[]) order by b.user_id`,
  )
  const lifted = idsOf(standing.filter((ban) => ban.isBelow))
  if (lifted.length > 0) await lift(ctx, space, lifted)
  const ranks = new Map(standing.map(({ userId, isBelow }) => [userId, isBelow ? null : ('RANK' as const)]))
  return userIds.map((userId) => ({ userId, failure: ranks.has(userId) ? (ranks.get(userId) ?? null) : 'CHANGED' }))
}

async function lift(ctx: Ctx, space: BanSpace, userIds: string[]): Promise<void> {
  if (space.scope === 'network') await releaseEverywhere(ctx, userIds)
  else {
    const { kind, spaceId } = kindOf(space)
    await unban(ctx, kind, { spaceId, userIds })
  }
}

/** Why nobody can be acted on, if that is so: the space is gone, or the caller may not ban there. */
async function lockAccounts(
  ctx: Ctx,
  space: BanSpace,
  { userIds, act }: { userIds: string[]; act: 'banned' | 'unbanned' },
): Promise<BanFailure | undefined> {
  if (userIds.length === 0) return undefined
  ensureLookedUp(ctx)
  try {
    if (space.scope === 'network') {
      if (!holds(ctx, 'BAN_USER')) return 'FORBIDDEN'
      await execute(
        ctx,
        sql`select from network_user where user_id = any(${userIds}) order by user_id for no key update`,
      )
    } else {
      const { kind, spaceId } = kindOf(space)
      await kind.lock(ctx, spaceId, 'banMembers')
      await lockRows(ctx, kind, { spaceId, userIds, act })
    }
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return 'FORBIDDEN'
  }
}
