import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { actOnPeople } from '#server/modules/spaces/membership/act-on-people.ts'
import { banStatements } from '#server/modules/spaces/membership/ban-records.ts'
import { assertBelow, idsOf, lockMembers } from '#server/modules/spaces/membership/lock-people.ts'
import { toActs } from '#server/modules/spaces/membership/publish-members.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'

export interface PeopleOfSpace {
  spaceId: string
  userIds: string[]
}

/**
 * Bans people from a space, all of them or none, whether or not they are members: leaving in time doesn't avoid a ban. Their roles there end
 * (docs/interface/channel-members.md#ban). Fails with NOT_FOUND for an unknown space or user, FORBIDDEN without the permission, CANNOT_BAN
 * for people of equal or higher rank and for oneself. Banning again replaces the terms in a channel, and fails with BANNED in a community.
 */
export async function ban<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { terms = {}, ...people }: PeopleOfSpace & { terms?: BanTerms },
): Promise<Answer> {
  try {
    return await banNew(ctx, kind, { ...people, terms }, () => {
      throw new SomeAreBanned()
    })
  } catch (error) {
    if (!(error instanceof SomeAreBanned)) throw error
  }
  return inTransaction(ctx, async (ctx) => {
    let repeated: string[] = []
    const answer = await banNew(ctx, kind, { ...people, terms }, (userIds) => {
      repeated = userIds
    })
    await replaceTerms(ctx, kind, { spaceId: people.spaceId, userIds: repeated, terms })
    return answer
  })
}

/** Thrown before anything is changed: what is banned and what is replaced must be one transaction, which costs more statements. */
class SomeAreBanned extends Error {}

type WithTerms = PeopleOfSpace & { terms: BanTerms }

/** Calls back with those who are banned there already, if there are any; they stay as they are. */
function banNew<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { terms, ...people }: WithTerms,
  onRepeated: (userIds: string[]) => void,
): Promise<Answer> {
  return actOnPeople(ctx, kind, {
    ...people,
    action: 'banMembers',
    act: 'banned',
    terms,
    assertAllowed: (people) => {
      assertBelow(people, 'CANNOT_BAN')
      if (people.some(({ userId }) => userId === actingUserId(ctx))) throw new DomainError('CANNOT_BAN')
      const repeated = idsOf(people.filter(({ membership }) => membership === 'banned'))
      if (kind.rejectsRepeats && repeated.length > 0) throw new DomainError('BANNED')
      if (repeated.length > 0) onRepeated(repeated)
    },
  })
}

/** The newest ban counts, as a mute replaces the one in force: a permanent one over a temporary one doesn't end. Reason and policy stay without new ones. */
async function replaceTerms(ctx: Ctx, kind: SpaceKind<unknown>, { spaceId, userIds, terms }: WithTerms): Promise<void> {
  const [endsAt, reason, policyId] = [terms.endsAt ?? null, terms.reason ?? null, terms.policyId ?? null]
  await kind.lock(ctx, spaceId, 'banMembers')
  assertBelow(await lockMembers(ctx, kind, { spaceId, userIds }), 'CANNOT_BAN')
  const replaced = await query<{ userId: string; endedAt: Date | null }>(
    ctx,
    sql`
    with bans as (
      update ban set ends_at = ${endsAt}, reason = coalesce(${reason}::text, ban.reason), policy_id = coalesce(${policyId}::text, ban.policy_id),
        banned_by = ${actingUserId(ctx) ?? actorName(ctx)}
      from (
        select b.ban_id, b.ends_at from ban b
        where b.scope = ${kind.scope}::ban_scope and b.${kind.id} = ${spaceId} and b.user_id = any(${userIds}) and b.lifted_at is null
          and (b.ends_at is distinct from ${endsAt}::timestamptz or b.reason is distinct from coalesce(${reason}::text, b.reason)
            or b.policy_id is distinct from coalesce(${policyId}::text, b.policy_id))
        order by b.user_id for update) before
      where ban.ban_id = before.ban_id returning ban.*, before.ends_at as ended_at),
    ${banStatements(ctx)}
    select user_id, ended_at from bans`,
  )
  if (replaced.length === 0) return
  const changes = replaced.map(({ userId, endedAt }) => ({
    userId,
    before: { membership: 'banned', ...toAuditTerms({ endsAt: endedAt ?? undefined }) },
    after: { membership: 'banned', ...toAuditTerms(terms) },
  }))
  await recordAudits(ctx, toActs(kind, { spaceId, act: kind.acts.banned, changes }))
}

/**
 * Lifts bans, all of them or none: those people are not members then and may join again (docs/interface/channel-members.md#unban). Fails as
 * `ban` does, with FORBIDDEN for people of equal or higher rank. People who aren't banned stay as they are in a channel; in a community the
 * call fails with NOT_BANNED.
 */
export function unban<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, people: PeopleOfSpace): Promise<Answer> {
  return actOnPeople(ctx, kind, {
    ...people,
    action: 'banMembers',
    act: 'unbanned',
    assertAllowed: (found) => {
      const banned = found.filter(({ membership }) => membership === 'banned')
      if (kind.rejectsRepeats && banned.length < new Set(people.userIds).size) throw new DomainError('NOT_BANNED')
      assertBelow(found, 'FORBIDDEN')
    },
  })
}
