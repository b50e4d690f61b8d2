import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { present } from '#server/core/present.ts'
import { assertBelow, assertMembers, idsOf, lockMembers } from '#server/modules/spaces/membership/lock-people.ts'
import { publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'
import type { PeopleOfSpace } from '#server/modules/spaces/sanctions/ban.ts'
import { muteStatements } from '#server/modules/spaces/sanctions/mute-statements.ts'

interface MuteInput extends PeopleOfSpace {
  /** Milliseconds; 0 ends mutes. */
  mutePeriod: number
  reason?: string | undefined
  /** The policy that was broken. */
  policyId?: string | undefined
}

/**
 * Mutes members for a time from now on, or ends their mutes with 0, and returns the space with them. Fails with NOT_FOUND for an unknown space or
 * user, FORBIDDEN without the permission and for people of equal or higher rank, BANNED for the banned of a community, and for someone who
 * isn't a member with NOT_CHANNEL_MEMBER, in a community NOT_FOUND; then nobody is muted.
 */
export function muteUsers<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, userIds, mutePeriod, reason, policyId }: MuteInput,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    await kind.lock(ctx, spaceId, 'muteMembers')
    const members = await lockMembers(ctx, kind, { spaceId, userIds })
    assertBelow(members, 'FORBIDDEN')
    if (userIds.includes(actingUserId(ctx) ?? '')) throw new DomainError('FORBIDDEN')
    assertMembers(kind, members, { userIds })

    const timeout = mutePeriod === 0 ? null : new Date(ctx.now().getTime() + mutePeriod)
    const changed = await setMute(ctx, kind, { spaceId, userIds: idsOf(members), timeout })
    if (timeout !== null)
      await writeMutes(ctx, kind, { spaceId, userIds: idsOf(changed), endsAt: timeout, reason, policyId })
    return publishMutes(ctx, kind, { spaceId, userIds, changed, timeout, policyId })
  })
}

/** Ends expired mutes in a locked space: compare-and-set, so that each ends once. */
export async function endMutes(ctx: Ctx, kind: SpaceKind<unknown>, { spaceId, userIds }: PeopleOfSpace): Promise<void> {
  const { members, id } = kind
  const now = ctx.now()
  const changed = await query<Changed>(
    ctx,
    sql`
    with ended as (
      update ${members} cu set mute_timeout = null, updated_at = ${now}
      from ${mutesBefore(kind, { spaceId, userIds }, sql`mute_timeout <= ${now}`)}
      where cu.${id} = ${spaceId} and cu.user_id = before.user_id
      returning before.*),
    closed as (
      update mute set lifted_at = ${now}, lifted_by = null
      from ended where mute.${id} = ${spaceId} and mute.user_id = ended.user_id and mute.lifted_at is null
      returning mute.*)
    select ended.user_id, ended.mute_timeout as before, ${RULE}
    from ended left join closed on closed.user_id = ended.user_id order by ended.user_id`,
  )
  if (changed.length > 0) await publishMutes(ctx, kind, { spaceId, userIds: idsOf(changed), changed, timeout: null })
}

interface Changed {
  userId: string
  before: Date | null
  /** Set if a rule made the mute that ends. */
  rule: { ruleId: string; version: number } | null
}

const RULE = sql`case when closed.rule_version is not null then
  jsonb_build_object('ruleId', closed.muted_by, 'version', closed.rule_version) end as rule`

/** Ending an expired mute changes nothing. Replaces any mute in force. Uses mute_in_force or community_mute_in_force. */
function setMute(
  ctx: Ctx,
  kind: SpaceTable,
  { spaceId, userIds, timeout }: PeopleOfSpace & { timeout: Date | null },
): Promise<Changed[]> {
  const { members, id } = kind
  const isConcerned =
    timeout === null ? sql`membership = 'member' and mute_timeout > ${ctx.now()}` : sql`membership = 'member'`
  return query(
    ctx,
    sql`
    with changed as (
      update ${members} cu set mute_timeout = ${timeout}, updated_at = ${ctx.now()}
      from ${mutesBefore(kind, { spaceId, userIds }, isConcerned)}
      where cu.${id} = ${spaceId} and cu.user_id = before.user_id
      returning before.*),
    closed as (
      update mute set lifted_at = ${ctx.now()}, lifted_by = ${actingUserId(ctx) ?? actorName(ctx)}
      from changed where mute.${id} = ${spaceId} and mute.user_id = changed.user_id and mute.lifted_at is null
      returning mute.*)
    select changed.user_id, changed.mute_timeout as before, ${RULE}
    from changed left join closed on closed.user_id = changed.user_id order by changed.user_id`,
  )
}

/** The rows to change, locked, as they are before. */
function mutesBefore({ members, id }: SpaceTable, { spaceId, userIds }: PeopleOfSpace, isConcerned: Sql): Sql {
  return sql`(
    select user_id, mute_timeout from ${members}
    where ${id} = ${spaceId} and user_id = any(${userIds}) and ${isConcerned}
    order by user_id for update) before`
}

interface NewMutes extends PeopleOfSpace {
  endsAt: Date
  /** The reason is a person's words: stored with the mute, where it can be erased, and not in the log. */
  reason: string | undefined
  policyId: string | undefined
}

async function writeMutes(
  ctx: Ctx,
  { id }: SpaceTable,
  { spaceId, userIds, endsAt, reason, policyId }: NewMutes,
): Promise<void> {
  await execute(
    ctx,
    sql`
    with muted as (
      insert into mute (${id}, user_id, muted_by, reason, policy_id, created_at, ends_at)
      select ${spaceId}, person.user_id, ${actingUserId(ctx) ?? actorName(ctx)}, ${reason ?? null}, ${policyId ?? null}, ${ctx.now()}, ${endsAt}
      from unnest(${userIds}::text[]) as person(user_id)
      returning *),
    ${muteStatements(ctx, { policyId: sql`muted.policy_id` })}
    select`,
  )
}

interface PublishedMutes extends PeopleOfSpace {
  changed: Changed[]
  timeout: Date | null
  policyId?: string | undefined
}

/** `userIds`: the people asked for, whom the answer contains. */
function publishMutes<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, userIds, changed, timeout, policyId }: PublishedMutes,
): Promise<Answer> {
  return publishMembers(ctx, kind, {
    spaceId,
    act: timeout === null ? kind.acts.unmuted : kind.acts.muted,
    userIds,
    changes: changed.map(({ userId, before, rule }) => ({
      userId,
      before: { muteTimeout: before, ...(rule && { rules: [rule] }) },
      after: { muteTimeout: timeout, ...present({ policyId }) },
    })),
  })
}
