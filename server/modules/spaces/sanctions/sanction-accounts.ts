import type { BanTerms } from '#server/core/ban-terms.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { LONGEST_MUTE_MS } from '#server/core/mute-period.ts'
import { holds } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { lockRows } from '#server/modules/spaces/membership/act-on-people.ts'
import { mayActOn } from '#server/modules/spaces/membership/find-people.ts'
import { idsOf } from '#server/modules/spaces/membership/lock-people.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { banLocked, releaseEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { SANCTION_ACTIONS, selectSanctionFailures } from '#server/modules/spaces/sanctions/sanction-failures.ts'
import type { BanSpace, SanctionFailure, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'
import { kindOf, spaceIdOf } from '#server/modules/spaces/sanctions/space-of.ts'

/** What is done to accounts, and where. Nobody is muted in the network. */
interface Sanctioning {
  sanction: SanctionKind
  space: BanSpace
}

/** What became of one account: the id of its ban or mute, or why it has none. */
export interface AccountSanction {
  userId: string
  sanctionId: string | null
  failure: SanctionFailure | null
}

const SANCTIONS = {
  ban: { table: sql`ban`, id: sql`ban_id`, made: 'banned', lifted: 'unbanned' },
  mute: { table: sql`mute`, id: sql`mute_id`, made: 'muted', lifted: 'unmuted' },
} as const

/**
 * Bans or mutes those of the accounts in one space that the caller can together with others, in the caller's transaction, with an audit row for
 * each, and says why not the others. Locks as other bans and mutes do: of two callers at once, one bans or mutes an account. The same number of
 * statements for any number of accounts.
 */
export async function sanctionAccounts(
  ctx: Ctx,
  { userIds, terms, ...sanctioning }: Sanctioning & { userIds: string[]; terms: BanTerms },
): Promise<AccountSanction[]> {
  const found = await readFailures(ctx, sanctioning, userIds)
  const candidates = allowedOf(found)
  const act = SANCTIONS[sanctioning.sanction].made
  const failure = await lockAccounts(ctx, sanctioning, { userIds: candidates, act })
  // Checked again once they are locked.
  const locked = failure
    ? candidates.map((userId) => ({ userId, failure }))
    : await readFailures(ctx, sanctioning, candidates)
  const allowed = allowedOf(locked)
  const made = new Map(allowed.length === 0 ? [] : await sanctionLocked(ctx, sanctioning, { userIds: allowed, terms }))
  return [...found.filter((account) => account.failure !== null), ...locked].map((account) => ({
    ...account,
    sanctionId: made.get(account.userId) ?? null,
  }))
}

type Judged = Pick<AccountSanction, 'userId' | 'failure'>

const allowedOf = (accounts: Judged[]) => idsOf(accounts.filter(({ failure }) => failure === null))

async function readFailures(ctx: Ctx, { sanction, space }: Sanctioning, userIds: string[]): Promise<Judged[]> {
  if (userIds.length === 0) return []
  const wanted = sql`select ${spaceIdOf(space)}::text as space_id, id as user_id from unnest(${userIds}::text[]) id`
  return query<Judged>(ctx, selectSanctionFailures(ctx, { sanction, scope: space.scope }, wanted))
}

/** The ids of their bans or mutes, by user. */
async function sanctionLocked(
  ctx: Ctx,
  sanctioning: Sanctioning,
  { userIds, terms }: { userIds: string[]; terms: BanTerms },
): Promise<[string, string][]> {
  const { sanction, space } = sanctioning
  if (space.scope === 'network') await banLocked(ctx, { userIds, terms })
  else {
    const { kind, spaceId } = kindOf(space)
    if (sanction === 'ban') await ban(ctx, kind, { spaceId, userIds, terms })
    else {
      const { reason, policyId } = terms
      await muteUsers(ctx, kind, { spaceId, userIds, mutePeriod: periodOf(ctx, terms), reason, policyId })
    }
  }
  const { table, id } = SANCTIONS[sanction]
  const made = await query<{ userId: string; sanctionId: string }>(
    ctx,
    sql`
    select s.user_id, s.${id}::text as sanction_id from ${table} s where ${inForce(space)} and s.user_id = any(${userIds})`,
  )
  return made.map(({ userId, sanctionId }) => [userId, sanctionId])
}

/** One whose time is over by now is shortest, and ends as others do: 0 would end a mute instead. */
function periodOf(ctx: Ctx, { endsAt }: BanTerms): number {
  return endsAt === undefined ? LONGEST_MUTE_MS : Math.max(1, endsAt.getTime() - ctx.now().getTime())
}

/** Bans or mutes `s` in force in a space. Uses ban_in_force, mute_in_force or community_mute_in_force. */
function inForce(space: BanSpace): Sql {
  const isThere =
    space.scope === 'network' ? sql`s.scope = 'network'` : sql`s.${kindOf(space).kind.id} = ${spaceIdOf(space)}`
  return sql`${isThere} and s.lifted_at is null`
}

/**
 * Lifts exactly these bans or mutes in one space, in the caller's transaction. One that somebody has lifted since stays lifted, and a new one in
 * its place stays in force: CHANGED. Fails for nobody but says why an account stays banned or muted.
 */
export async function liftAccountSanctions(
  ctx: Ctx,
  { sanctions, ...sanctioning }: Sanctioning & { sanctions: { userId: string; sanctionId: string | null }[] },
): Promise<Judged[]> {
  const { table, id, lifted: act } = SANCTIONS[sanctioning.sanction]
  const userIds = idsOf(sanctions)
  const failure = await lockAccounts(ctx, sanctioning, { userIds, act })
  if (failure) return userIds.map((userId) => ({ userId, failure }))
  const standing = await query<Judged>(
    ctx,
    sql`
    select s.user_id, ${liftFailure(ctx, sanctioning)} as failure from ${table} s
    where ${inForce(sanctioning.space)} and s.${id} = any(${sanctions.map(({ sanctionId }) => sanctionId)}::bigint[]) order by s.user_id`,
  )
  const lifted = allowedOf(standing)
  if (lifted.length > 0) await lift(ctx, sanctioning, lifted)
  const failures = new Map(standing.map(({ userId, failure }) => [userId, failure]))
  return userIds.map((userId) => ({
    userId,
    failure: failures.has(userId) ? (failures.get(userId) ?? null) : 'CHANGED',
  }))
}

/** Why the caller can't lift the ban or mute `s`, as SQL. Mutes of people who have left can't be lifted, as by a single act. */
function liftFailure(ctx: Ctx, { sanction, space }: Sanctioning): Sql {
  const user = sql`s.user_id`
  if (space.scope === 'network') return sql`case when not ${outranks(ctx, user, 'network')} then 'RANK' end`
  const { kind, spaceId } = kindOf(space)
  const isMember = sql`exists (
    select from ${kind.members} cu where cu.${kind.id} = ${spaceId} and cu.user_id = ${user} and ${kind.membership(sql`cu`)} = 'member')`
  return sql`case when not ${mayActOn(ctx, kind, spaceId, user)} then 'RANK'
    when ${sanction === 'mute'} and not ${isMember} then 'NOT_MEMBER' end`
}

async function lift(ctx: Ctx, { sanction, space }: Sanctioning, userIds: string[]): Promise<void> {
  if (space.scope === 'network') await releaseEverywhere(ctx, userIds)
  else {
    const { kind, spaceId } = kindOf(space)
    if (sanction === 'ban') await unban(ctx, kind, { spaceId, userIds })
    else await muteUsers(ctx, kind, { spaceId, userIds, mutePeriod: 0 })
  }
}

/** Why nobody can be acted on, if that is so: the space is gone, or the caller may not ban or mute there. */
async function lockAccounts(
  ctx: Ctx,
  { sanction, space }: Sanctioning,
  { userIds, act }: { userIds: string[]; act: 'banned' | 'unbanned' | 'muted' | 'unmuted' },
): Promise<SanctionFailure | undefined> {
  if (userIds.length === 0) return undefined
  try {
    if (space.scope === 'network') {
      if (!holds(ctx, 'BAN_USER')) return 'FORBIDDEN'
      await execute(
        ctx,
        sql`select from network_user where user_id = any(${userIds}) order by user_id for no key update`,
      )
    } else {
      const { kind, spaceId } = kindOf(space)
      await kind.lock(ctx, spaceId, SANCTION_ACTIONS[sanction])
      await lockRows(ctx, kind, { spaceId, userIds, act })
    }
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return 'FORBIDDEN'
  }
}
