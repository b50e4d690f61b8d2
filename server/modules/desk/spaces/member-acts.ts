import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { LONGEST_MUTE_MS } from '#server/core/mute-period.ts'
import { readSpaceRoles } from '#server/modules/desk/spaces/read-roles.ts'
import type {
  BanMembers,
  BanMembersAgain,
  MembersAct,
  MembersLeft,
  MembersRole,
  MuteMembers,
  RestoreMembers,
} from '#server/modules/desk/spaces/schema.ts'
import { assertKnownPolicies, assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { addMembers } from '#server/modules/spaces/membership/add-members.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/membership/change-roles.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { namingUnmoderated } from '#server/modules/spaces/sanctions/last-moderators.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { removeMembers } from '#server/modules/spaces/sanctions/remove-members.ts'
import { kindOf } from '#server/modules/spaces/sanctions/space-of.ts'

type Ended = Promise<unknown>

/**
 * Bans people from a channel or community, all of them or none. Fails as the ban of that space does, and with INVALID_PARAMETERS for a policy that
 * is unknown or archived.
 */
export async function banDeskMembers(ctx: Ctx, { policyId, ...input }: BanMembers): Promise<MembersLeft> {
  await assertPolicy(ctx, policyId)
  return banAs(ctx, { ...input, policyId })
}

function banAs(ctx: Ctx, { space, userIds, minutes, reason, policyId }: BanMembers): Promise<MembersLeft> {
  const terms = { endsAt: minutes === null ? undefined : after(ctx, minutes), reason, policyId }
  return endingRoles(ctx, { space, userIds }, (ctx, people) => ban(ctx, people.kind, { ...people, terms }))
}

type PeopleOfKind = ReturnType<typeof kindOf> & { userIds: string[] }

/** Runs an act that may end roles, and says whether it left the space without a moderator. */
async function endingRoles(
  ctx: Ctx,
  { space, userIds }: MembersAct,
  act: (ctx: Ctx, people: PeopleOfKind) => Promise<unknown>,
): Promise<MembersLeft> {
  const people = { ...kindOf(space), userIds }
  const unmoderated = await namingUnmoderated(ctx, { space, userIds }, (ctx) => act(ctx, people))
  return { isWithoutModerator: unmoderated.length > 0 }
}

/** Lifts bans early: those people are not members then, and may join again. */
export function unbanDeskMembers(ctx: Ctx, { space, userIds }: MembersAct): Ended {
  const { kind, spaceId } = kindOf(space)
  return unban(ctx, kind, { spaceId, userIds })
}

/**
 * Mutes members of a channel or community, all of them or none. One restored after its end is an end. Fails with INVALID_PARAMETERS for a policy that is
 * unknown; an archived one may only be that of an earlier mute, which this restores.
 */
export async function muteDeskMembers(
  ctx: Ctx,
  { space, userIds, minutes, endsAt, reason, policyId }: MuteMembers,
): Ended {
  const { kind, spaceId } = kindOf(space)
  if (policyId !== undefined)
    await assertPolicy(ctx, policyId, await readPolicyBefore(ctx, kind, { spaceId, userIds, policyId }))
  const left = endsAt === undefined ? minutes : Math.max(0, minutesUntil(ctx, endsAt))
  return muteUsers(ctx, kind, {
    spaceId,
    userIds,
    mutePeriod: left === null ? LONGEST_MUTE_MS : Math.round(left * MINUTE_MS),
    reason,
    policyId,
  })
}

/** The policy, if all of them had a mute there that names it. Uses mute_user_id_created_at_idx. */
async function readPolicyBefore(
  ctx: Ctx,
  { id }: SpaceTable,
  { spaceId, userIds, policyId }: { spaceId: string; userIds: string[]; policyId: string },
): Promise<string | undefined> {
  const named = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(distinct m.user_id)::int as count from mute m
    where m.user_id = any(${userIds}) and m.${id} = ${spaceId} and m.policy_id = ${policyId}`,
  )
  return named?.count === new Set(userIds).size ? policyId : undefined
}

export function addDeskMembers(ctx: Ctx, { space, userIds }: MembersAct): Ended {
  const { kind, spaceId } = kindOf(space)
  return addMembers(ctx, kind, { spaceId, userIds })
}

export function removeDeskMembers(ctx: Ctx, members: MembersAct): Promise<MembersLeft> {
  return endingRoles(ctx, members, (ctx, { kind, ...people }) => removeMembers(ctx, kind, people))
}

export function addDeskRole(ctx: Ctx, { space, userIds, role }: MembersRole): Ended {
  const { kind, spaceId } = kindOf(space)
  return addRoles(ctx, kind, { spaceId, userIds, roles: [role] })
}

export function removeDeskRole(ctx: Ctx, { role, ...members }: MembersRole): Promise<MembersLeft> {
  return endingRoles(ctx, members, (ctx, { kind, ...people }) => removeRoles(ctx, kind, { ...people, roles: [role] }))
}

/**
 * Undoes a ban or a removal: they are members again, with those of their roles that the caller may grant. All of them or none; each step
 * fails as it does by itself.
 */
export function restoreDeskMembers(ctx: Ctx, { space, areBanned, members }: RestoreMembers): Promise<void> {
  const userIds = members.map(({ userId }) => userId)
  return inTransaction(ctx, async (ctx) => {
    if (areBanned) await unbanDeskMembers(ctx, { space, userIds })
    await addDeskMembers(ctx, { space, userIds })
    const roles = await readSpaceRoles(ctx, space, { roles: true })
    for (const { roleId } of roles.filter(({ mayGrant }) => mayGrant)) {
      const held = members.filter((member) => member.roles.includes(roleId)).map(({ userId }) => userId)
      if (held.length > 0) await addDeskRole(ctx, { space, userIds: held, role: roleId })
    }
  })
}

/** Undoes the lifting of bans: each is in force again for the rest of its time. Bans whose time is over stay lifted. */
export function banDeskMembersAgain(ctx: Ctx, { space, members }: BanMembersAgain): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await assertKnownPolicies(
      ctx,
      members.map(({ policyId }) => policyId),
    )
    for (const { endsAt, reason, policyId, userIds } of byTerms(members)) {
      const minutes = endsAt === undefined ? null : minutesUntil(ctx, endsAt)
      if (minutes === null || minutes > 0) await banAs(ctx, { space, userIds, minutes, reason, policyId })
    }
  })
}

const MINUTE_MS = 60_000
const after = (ctx: Ctx, minutes: number) => new Date(ctx.now().getTime() + minutes * MINUTE_MS)
const minutesUntil = (ctx: Ctx, at: string) => (new Date(at).getTime() - ctx.now().getTime()) / MINUTE_MS

type Terms = Omit<BanMembersAgain['members'][number], 'userId'> & { userIds: string[] }

/** Groups people with the same end, reason and policy: one call for each group, not for each person. */
function byTerms(members: BanMembersAgain['members']): Terms[] {
  const groups = new Map<string, Terms>()
  for (const { userId, ...terms } of members) {
    const key = JSON.stringify([terms.endsAt, terms.reason, terms.policyId])
    const group = groups.get(key) ?? { ...terms, userIds: [] }
    group.userIds.push(userId)
    groups.set(key, group)
  }
  return [...groups.values()]
}
