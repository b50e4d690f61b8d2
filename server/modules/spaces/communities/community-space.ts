import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity, mayInCommunityByRow } from '#server/core/permissions.ts'
import { requireUser } from '#server/core/require-user.ts'
import type { Authority } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { issuerRank } from '#server/modules/accounts/roles/issuer.ts'
import { ownAuthority } from '#server/modules/accounts/roles/own-authority.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import { findCommunityPeople } from '#server/modules/spaces/communities/find-community-people.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'
import { ensureModeratorRemains } from '#server/modules/spaces/membership/ensure-moderator-remains.ts'
import { lockMembers, lockPeople, type Person } from '#server/modules/spaces/membership/lock-people.ts'
import type { DoneAct, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

const KIND = SPACE_KINDS.community

/** Roles are given one action at a time; other actions run side by side. */
export const communitySpace: SpaceKind<CommunitiesAnswer> = {
  ...KIND,
  lock: async (ctx, communityId, action) => {
    if (action === 'assignRoles' && ctx.actor.kind === 'key') return lockForKey(ctx, communityId, ctx.actor.allows)
    const mayAct = mayInCommunity(ctx, action, sql`k.community_id`)
    await lockCommunity(ctx, communityId, { mayAct, isAlone: action === 'assignRoles' })
  },
  mayAct: mayInCommunity,
  mayActByRow: mayInCommunityByRow,
  find: findCommunityPeople,
  enter: async (ctx, spaceId) => {
    const wanted = { spaceId, userIds: [requireUser(ctx)] }
    const community = await lockCommunity(ctx, spaceId, { mayAct: sql`true` })
    const isOpen = community.isPublic && !community.requiresJoinApproval
    const [person] = isOpen ? await lockPeople(ctx, KIND, wanted) : await lockMembers(ctx, KIND, wanted)
    return { membership: person?.membership ?? 'none', isOpen }
  },
  exit,
  authority: (ctx, communityId) =>
    ctx.actor.kind === 'key' ? keyAuthority(ctx, ctx.actor.keyId) : ownAuthority(ctx, { communityId }),
  answer: (ctx, communityId, userIds) => buildCommunitiesEnvelope(ctx, [communityId], userIds),
  answerOwn: (ctx, communityId) => buildCommunitiesEnvelope(ctx, [communityId]),
  publish,
}

async function lockForKey(ctx: Ctx, communityId: string, allows: ReadonlySet<string>): Promise<void> {
  if (!allows.has('roles')) throw new DomainError('FORBIDDEN')
  await lockCommunity(ctx, communityId, { isKnown: sql`true`, mayAct: sql`true`, isAlone: true })
}

async function exit(ctx: Ctx, spaceId: string): Promise<Person[]> {
  const wanted = { spaceId, userIds: [requireUser(ctx)] }
  await lockCommunity(ctx, spaceId, { mayAct: sql`true`, isAlone: true })
  const people = await lockMembers(ctx, KIND, wanted)
  if (people.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')
  if (people.some(({ roles }) => roles.includes(KIND.moderator))) await ensureModeratorRemains(ctx, KIND, wanted)
  return people
}

/**
 * An API key acts as the community's own moderators, no higher: with their rank and permissions (docs/interface/permissions.md), limited to
 * what the issuer of the key has now. A key made on the command line has no issuer.
 */
async function keyAuthority(ctx: Ctx, keyId: string): Promise<Authority> {
  const held = await queryOne<{ rank: number; permissions: string[] }>(
    ctx,
    sql`
    select least(role_rank(array[${KIND.moderator}]), ${issuerRank(sql`k.created_by`)}) as rank,
      case when k.created_by is null then role_permissions(array[${KIND.moderator}])
        else array(select unnest(role_permissions(array[${KIND.moderator}])) intersect select unnest(network_role_permissions(i.roles)))
      end as permissions
    from api_key k left join network_user i on i.user_id = k.created_by where k.key_id = ${keyId}`,
  )
  return { rank: held?.rank ?? 0, permissions: new Set(held?.permissions) }
}

async function publish(ctx: Ctx, { spaceId, act, userIds, changed }: DoneAct) {
  const published = await buildCommunitiesEnvelope(ctx, [spaceId], changed)
  const areSame = userIds.length === changed.length && userIds.every((userId, index) => userId === changed[index])
  const answersMore = act.answersAll && !areSame
  const answer = answersMore ? await buildCommunitiesEnvelope(ctx, [spaceId], userIds) : published
  return { payload: { ...published }, answer }
}
