import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { type Delta, recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'
import { insertBans, liftBans } from '#server/modules/spaces/membership/ban-records.ts'
import { idsOf, insertRows } from '#server/modules/spaces/membership/lock-people.ts'
import { type MemberChange, publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import type { Changed, Concerned, MemberCounts, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { Membership, MembershipAct, SpaceTable, Written } from '#server/modules/spaces/membership/space-kinds.ts'

interface Transition {
  from: Membership[]
  to: Membership
  /** The condition that `from` is, for rows `cu` that are not locked. */
  where: Sql
}

const IS_OUTSIDE = sql`(cu.membership = 'none' or cu.membership = 'member' and cu.is_deleted)`
export const TRANSITIONS: Record<MembershipAct, Transition> = {
  joined: { from: ['none'], to: 'member', where: IS_OUTSIDE },
  added: { from: ['none'], to: 'member', where: IS_OUTSIDE },
  left: { from: ['member'], to: 'none', where: sql`cu.membership = 'member' and not cu.is_deleted` },
  removed: { from: ['member', 'banned'], to: 'none', where: sql`cu.membership <> 'none'` },
  banned: { from: ['none', 'member'], to: 'banned', where: sql`cu.membership <> 'banned'` },
  unbanned: { from: ['banned'], to: 'none', where: sql`cu.membership = 'banned'` },
}

interface MembershipChange {
  spaceId: string
  act: MembershipAct
  /** As they were when locked. */
  people: Concerned[]
  /** Of a ban. */
  terms?: BanTerms
  /** The owner of a new space, who also moderates it. */
  ownerId?: string | undefined
}

/** Changes memberships, and finishes the action as `publishMembers` does. */
export async function changeMembership<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { userIds, ...change }: MembershipChange & { userIds: string[] },
): Promise<Answer> {
  const changes = await setMembership(ctx, kind, change)
  return publishMembers(ctx, kind, { spaceId: change.spaceId, act: kind.acts[change.act], userIds, changes })
}

/**
 * Changes the membership of those for whom it is a change, counts it, and writes or closes their bans. People who were not members before,
 * or are not any more, have no roles.
 */
export async function setMembership(ctx: Ctx, kind: SpaceTable, change: MembershipChange): Promise<MemberChange[]> {
  const { spaceId, act, people, ownerId } = change
  const { from } = TRANSITIONS[act]
  const concerned = kind.locksRows ? people.filter(({ membership }) => from.includes(membership)) : people
  if (concerned.length === 0) return []

  const changed = await write(ctx, kind, { ...change, people: concerned })
  const { members, moderators } = countChanges(kind, act, changed)
  await recordMemberCounts(ctx, kind, spaceId, {
    members,
    moderators: (ownerId === undefined ? 0 : 1) + moderators,
  })
  return toMemberChanges(kind, change, changed)
}

export function countChanges(
  { moderator }: SpaceTable,
  act: MembershipAct,
  changed: Changed[],
): Required<MemberCounts> {
  const left = changed.filter(({ wasMember }) => wasMember)
  return {
    members: (TRANSITIONS[act].to === 'member' ? changed.length : 0) - left.length,
    moderators: -left.filter(({ roles }) => roles.includes(moderator)).length,
  }
}

/** What the log stores of each change. */
export function toMemberChanges(
  { logsRoles }: SpaceTable,
  { act, terms = {} }: Pick<MembershipChange, 'act' | 'terms'>,
  changed: Changed[],
): MemberChange[] {
  const hadRoles = act === 'left' || act === 'removed' || act === 'banned'
  return changed.map(({ userId, membership, roles }) => ({
    userId,
    before: hadRoles ? { membership, roles } : { membership: act === 'unbanned' ? 'banned' : 'none' },
    after: {
      membership: TRANSITIONS[act].to,
      ...(logsRoles && act !== 'unbanned' && { roles: [] }),
      ...toAuditTerms(terms),
    },
  }))
}

/** Counts a change in its transaction; a change of nothing needs no row. */
export async function recordMemberCounts(
  ctx: Ctx,
  kind: SpaceTable,
  spaceId: string,
  counts: MemberCounts,
): Promise<void> {
  await recordDeltas(ctx, memberDeltas(kind, spaceId, counts))
}

export function memberDeltas(
  { tallies }: SpaceTable,
  spaceId: string,
  { members = 0, moderators = 0 }: MemberCounts,
): Delta[] {
  const deltas: Delta[] = [{ kind: tallies.members, subjectId: spaceId, delta: members }]
  if (tallies.moderators) deltas.push({ kind: tallies.moderators, subjectId: spaceId, delta: moderators })
  return deltas.filter(({ delta }) => delta !== 0)
}

/** Rows that are not locked are compared and set, in the order of ids, so that no two calls deadlock. */
async function write(ctx: Ctx, kind: SpaceTable, change: MembershipChange): Promise<Changed[]> {
  const { spaceId, act, people, ownerId } = change
  const { members, id } = kind
  const { to, where } = TRANSITIONS[act]
  const now = ctx.now()
  const userIds = idsOf(people)
  const isActive = kind.activeOn.includes(act)
  const rolesOf = (user: Sql) =>
    ownerId === undefined
      ? sql`'{}'::text[]`
      : sql`case when ${user} = ${ownerId} then ${[kind.moderator, kind.owner]}::text[] else '{}' end`
  const roles = rolesOf(sql`cu.user_id`)
  const set = assignments(kind, { act, now, roles })
  const mayLackRow = !kind.locksRows && to !== 'none'
  if (mayLackRow && to === 'banned') await insertRows(ctx, kind, { spaceId, userIds })
  const written =
    mayLackRow && to === 'member'
      ? sql`
        insert into ${members} as cu (${id}, user_id, membership, roles, last_activity, created_at, updated_at)
        select ${spaceId}, person.user_id, 'member', ${rolesOf(sql`person.user_id`)}, ${isActive ? now : null}, ${now}, ${now}
        from unnest(${userIds}::text[]) as person(user_id) order by person.user_id
        on conflict (${id}, user_id) do update set ${set} where ${where}
        returning cu.user_id, 'none' as membership, '{}'::text[] as roles, false as was_member`
      : sql`
        update ${members} cu set ${set}
        from (
          select cu.user_id, ${kind.membership(sql`cu`)} as membership, cu.roles,
            cu.membership = 'member' and not cu.is_deleted as was_member
          from ${members} cu
          where cu.${id} = ${spaceId} and cu.user_id = any(${userIds}) and ${kind.locksRows ? sql`true` : where}
          order by cu.user_id for update) before
        where cu.${id} = ${spaceId} and cu.user_id = before.user_id
        returning before.*`
  return query<Changed>(
    ctx,
    sql`
    with changed as (
      ${written})
      ${writeBans(ctx, kind, change)}
      ${kind.alongside({ act, now, roles, spaceId, actorId: actingUserId(ctx) })}
    select user_id, membership, roles, was_member from changed order by user_id`,
  )
}

/** What an update of rows `cu` sets. */
export function assignments(kind: SpaceTable, written: Written): Sql {
  const { act, now } = written
  return sql`membership = ${TRANSITIONS[act].to}::membership, ${kind.set(written)}
    last_activity = ${kind.activeOn.includes(act) ? now : sql`cu.last_activity`}, updated_at = ${now}`
}

/** Part of a `with` that contains the rows `changed`. */
export function writeBans(
  ctx: Ctx,
  { scope }: SpaceTable,
  { spaceId, act, terms }: Pick<MembershipChange, 'spaceId' | 'act' | 'terms'>,
): Sql {
  if (act === 'banned') return insertBans(ctx, { scope, spaceId, terms })
  return act === 'unbanned' || act === 'removed' ? liftBans(ctx, { scope, spaceId }) : sql.empty
}
