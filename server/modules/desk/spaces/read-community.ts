import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { readSpaceRoles } from '#server/modules/desk/spaces/read-roles.ts'
import type { DeskCommunity, SetCommunity } from '#server/modules/desk/spaces/schema.ts'
import { readSpaceActs } from '#server/modules/desk/spaces/space-acts.ts'
import { readCommunity } from '#server/modules/spaces/communities/read-community.ts'
import { updateCommunity } from '#server/modules/spaces/communities/write-community.ts'

interface RightsAndChange {
  edit: boolean
  review: boolean
  rules: boolean
  at: Date | null
  by: string | null
}

/** One community with what the caller may do in it. Fails as `readSpaceActs` does. */
export async function readDeskCommunity(ctx: Ctx, { communityId }: { communityId: string }): Promise<DeskCommunity> {
  const space = { scope: 'community' as const, communityId }
  const acts = await readSpaceActs(ctx, space)
  const [{ communities }, roles, found] = await Promise.all([
    readCommunity(ctx, { communityId, type: 'public' }),
    readSpaceRoles(ctx, space, acts),
    readRightsAndChange(ctx, communityId),
  ])
  const [community] = communities
  if (community === undefined || found === undefined) throw new Error('a community that was found is gone')
  const { edit, review, rules, at, by } = found
  return {
    community,
    roles,
    ...(at && { changed: { at: at.toISOString(), ...present({ by }) } }),
    may: { ...acts, edit, review, rules },
  }
}

/** Turns one setting on or off. Fails as updating the community does. */
export async function setCommunity(ctx: Ctx, { communityId, setting, isOn }: SetCommunity): Promise<void> {
  await updateCommunity(ctx, { communityId, [setting]: isOn })
}

/** What the caller may do there, and who changed it last, which the log has. Uses audit_subject_type_subject_id_audit_id_idx. */
function readRightsAndChange(ctx: Ctx, communityId: string): Promise<RightsAndChange | undefined> {
  const column = sql`k.community_id`
  return queryOne(
    ctx,
    sql`
    select (not k.is_deleted and ${mayInCommunity(ctx, 'edit', column)}) as edit,
      (${mayInCommunity(ctx, 'reviewComments', column)} or ${mayInCommunity(ctx, 'reviewPosts', column)}) as review,
      (not k.is_deleted and ${mayInCommunity(ctx, 'manageRules', column)}) as rules,
      changed.at, changed.by
    from community k
    left join lateral (
      select a.at, coalesce(nullif(u.display_name, ''), a.actor_id) as by
      from audit a left join network_user u on u.user_id = a.actor_id
      where a.subject_type = 'community' and a.subject_id = k.community_id and a.action = 'community.updated'
      order by a.audit_id desc limit 1) changed on true
    where k.community_id = ${communityId}`,
  )
}
