import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayEverywhere } from '#server/core/permissions.ts'
import type { Me, Section, SettingsPart } from '#server/modules/accounts/access/schema.ts'

/** The person signed in to the desk, with their roles. UNAUTHORIZED for anyone without a staff account. */
export async function readMe(ctx: Ctx): Promise<Me> {
  if (!('staffId' in ctx.actor) || ctx.actor.staffId === undefined || ctx.actor.userId === undefined)
    throw new DomainError('UNAUTHORIZED')
  const { staffId, userId, name } = ctx.actor
  const [account, roles] = await Promise.all([
    queryOne<{ email: string; translates: boolean }>(
      ctx,
      sql`select a.email, t.is_on as translates from staff_account a cross join translation_settings t where a.id = ${staffId}`,
    ),
    readRoles(ctx, userId),
  ])
  const leads = (wanted: 'community' | 'channel') => roles.some(({ scope, reviews }) => scope === wanted && reviews)
  const reviewsCommunities = mayEverywhere(ctx, 'reviewComments') || leads('community')
  return {
    staffId,
    userId,
    name,
    email: account?.email ?? '',
    roles: roles.map(({ reviews: _, managesRules: __, ...role }) => role),
    reviews: reviewsCommunities || leads('channel'),
    translates: account?.translates ?? false,
    opens: openTo(ctx, {
      reviews: reviewsCommunities,
      moderatesChannels: roles.some(({ scope }) => scope === 'channel'),
    }),
    settings: settingsOf(ctx, { managesRules: roles.some((role) => role.managesRules) }),
  }
}

function openTo(ctx: Ctx, { reviews, moderatesChannels }: { reviews: boolean; moderatesChannels: boolean }): Section[] {
  const channels = holds(ctx, 'VIEW_CHANNELS') || moderatesChannels
  const history = holds(ctx, 'VIEW_HISTORY')
  const users = holds(ctx, 'VIEW_USERS')
  const isOpen: Record<Section, boolean> = {
    appeals: reviews || moderatesChannels || holds(ctx, 'BAN_USER') || holds(ctx, 'MANAGE_POST_AND_COMMENT'),
    channels,
    messages: channels,
    communities: users || reviews,
    users: users || reviews || moderatesChannels,
    insights: history || reviews,
    audit: history,
    settings: true,
  }
  return (Object.keys(isOpen) as Section[]).filter((section) => isOpen[section])
}

function settingsOf(ctx: Ctx, { managesRules }: { managesRules: boolean }): SettingsPart[] {
  const network = holds(ctx, 'MANAGE_NETWORK_SETTINGS')
  const credentials = holds(ctx, 'MANAGE_CREDENTIALS')
  const isTheirs: Record<SettingsPart, boolean> = {
    flags: network,
    roles: holds(ctx, 'EDIT_ROLE'),
    staff: holds(ctx, 'MANAGE_STAFF'),
    credentials,
    webhooks: credentials,
    classifiers: credentials,
    policies: network,
    reasons: network,
    rules: mayEverywhere(ctx, 'manageRules') || managesRules,
    targets: network,
    mail: credentials,
    translation: credentials,
    security: true,
    notifications: true,
    preferences: true,
  }
  return (Object.keys(isTheirs) as SettingsPart[]).filter((part) => isTheirs[part])
}

type HeldRole = Me['roles'][number] & { reviews: boolean; managesRules: boolean }

function readRoles(ctx: Ctx, userId: string): Promise<HeldRole[]> {
  return query(
    ctx,
    sql`
    with held as (
      select unnest(roles) as role_id from network_user where user_id = ${userId}
      union all
      select unnest(roles) from community_user where user_id = ${userId} and membership = 'member' and not is_deleted
      union all
      select unnest(roles) from channel_user where user_id = ${userId} and membership = 'member' and not is_deleted)
    select r.role_id, coalesce(r.display_name, r.role_id) as display_name, r.scope::text as scope, count(*)::int as spaces,
      case r.scope when 'community' then r.permissions && '{REVIEW_COMMUNITY_COMMENT,REVIEW_COMMUNITY_POST}'
        else r.scope = 'channel' and 'DELETE_MESSAGE' = any(r.permissions) end as reviews,
      r.scope = 'community' and 'MANAGE_RULES' = any(r.permissions) as manages_rules
    from held join role r on r.role_id = held.role_id
    where not r.is_deleted and r.scope in ('network', 'community', 'channel')
    group by r.role_id order by r.rank desc, r.role_id`,
  )
}
