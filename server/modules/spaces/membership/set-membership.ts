import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { type Delta, recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'
import { insertBans, liftBans } from '#server/modules/spaces/membership/ban-records.ts'
import { idsOf } from '#server/modules/spaces/membership/lock-people.ts'
import { type MemberChange, publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import type { Concerned, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { Membership, MembershipAct, SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

interface Transition {
  from: Membership[]
  to: Membership
  /** The same as `from`, for rows `cu` that are not locked. */
  where: Sql
}

const IS_OUTSIDE = sql`(cu.membership = 'none' or cu.membership = 'member' and cu.is_deleted)`
const TRANSITIONS: Record<MembershipAct, Transition> = {
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
  const { spaceId, act, people, terms = {}, ownerId } = change
  const { from, to } = TRANSITIONS[act]
  const concerned = kind.locksRows ? people.filter(({ membership }) => from.includes(membership)) : people
  if (concerned.length === 0) return []

  const changed = await write(ctx, kind, { ...change, people: concerned })
  const left = changed.filter(({ wasMember }) => wasMember)
  await recordMemberCounts(ctx, kind, spaceId, {
    members: (to === 'member' ? changed.length : 0) - left.length,
    moderators: (ownerId === undefined ? 0 : 1) - left.filter(({ roles }) => roles.includes(kind.moderator)).length,
  })
  const hadRoles = act === 'left' || act === 'removed' || act === 'banned'
  return changed.map(({ userId, membership, roles }) => ({
    userId,
    before: hadRoles ? { membership, roles } : { membership: act === 'unbanned' ? 'banned' : 'none' },
    after: { membership: to, ...(kind.logsRoles && act !== 'unbanned' && { roles: [] }), ...toAuditTerms(terms) },
  }))
}

/** Counts a change in its transaction; a change of nothing needs no row. */
export async function recordMemberCounts(
  ctx: Ctx,
  { tallies }: SpaceTable,
  spaceId: string,
  { members = 0, moderators = 0 }: { members?: number; moderators?: number },
): Promise<void> {
  const deltas: Delta[] = [{ kind: tallies.members, subjectId: spaceId, delta: members }]
  if (tallies.moderators) deltas.push({ kind: tallies.moderators, subjectId: spaceId, delta: moderators })
  await recordDeltas(
    ctx,
    deltas.filter(({ delta }) => delta !== 0),
  )
}

interface Changed {
  userId: string
  /** Before the change. */
  membership: Membership
  roles: string[]
  wasMember: boolean
}

/** Rows that are not locked are compared and set, in the order of ids, so that no two calls deadlock. */
function write(ctx: Ctx, kind: SpaceTable, change: MembershipChange): Promise<Changed[]> {
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
  const set = sql`membership = ${to}::membership, ${kind.set({ act, now, roles })}
    last_activity = ${isActive ? now : sql`cu.last_activity`}, updated_at = ${now}`
  const old = sql`old`
  const written =
    kind.locksRows || to === 'none'
      ? sql`
        update ${members} cu set ${set}
        where cu.${id} = ${spaceId} and cu.user_id = any(${userIds}) and ${kind.locksRows ? sql`true` : where}`
      : sql`
        insert into ${members} as cu (${id}, user_id, membership, roles, last_activity, created_at, updated_at)
        select ${spaceId}, person.user_id, ${to}::membership, ${rolesOf(sql`person.user_id`)}, ${isActive ? now : null}, ${now}, ${now}
        from unnest(${userIds}::text[]) as person(user_id) order by person.user_id
        on conflict (${id}, user_id) do update set ${set} where ${where}`
  return query<Changed>(
    ctx,
    sql`
    with changed as (
      ${written}
      returning cu.user_id, ${kind.membership(old)} as membership, coalesce(old.roles, '{}') as roles,
        coalesce(old.membership = 'member' and not old.is_deleted, false) as was_member)
      ${writeBans(ctx, kind, change)}
      ${kind.alongside({ act, now, roles, spaceId, actorId: actingUserId(ctx) })}
    select user_id, membership, roles, was_member from changed order by user_id`,
  )
}

function writeBans(ctx: Ctx, { scope }: SpaceTable, { spaceId, act, terms }: MembershipChange): Sql {
  if (act === 'banned') return insertBans(ctx, { scope, spaceId, terms })
  return act === 'unbanned' || act === 'removed' ? liftBans(ctx, { scope, spaceId }) : sql.empty
}
