import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import type { Page } from '#server/core/list-page.ts'
import { listPage } from '#server/core/list-page.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { ChannelSpace, CommunitySpace, PersonListInput } from '#server/modules/people/schema.ts'
import { knowsChannel, knowsCommunity } from '#server/modules/people/scope.ts'
import { mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'

interface SpaceRow {
  internalId: string
  displayName: string
  membership: 'member' | 'banned'
  roles: string[]
  since: Date
  mutedUntil: Date | null
}

const positionOf = (row: SpaceRow): [string, string] => [timestampOf(row.since), row.internalId]

/** The communities a person is in or banned from, latest first. Uses community_user_user_id_idx. */
export function listCommunities(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<CommunitySpace>> {
  return listPage<SpaceRow & { communityId: string }, CommunitySpace>(ctx, page, {
    order: {
      first: { column: sql`cu.created_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: sql`k.internal_id`, isDescending: false },
    },
    select: ({ where, orderBy, limit }) => sql`
      select k.community_id, k.internal_id, coalesce(nullif(k.display_name, ''), k.community_id) as display_name,
        cu.membership, cu.roles, cu.created_at as since, ${mutedUntil(ctx, sql`cu`)} as muted_until
      from community_user cu join community k on k.community_id = cu.community_id
      where cu.user_id = ${userId} and cu.membership <> 'none' and not cu.is_deleted
        and ${knowsCommunity(ctx, 'VIEW_USERS', sql`k.community_id`)} and ${where}
      order by ${orderBy} ${limit}`,
    positionOf,
    toItem,
  })
}

/** The channels a person is in or banned from, latest first. Uses channel_user_user_id_idx. */
export function listChannels(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<ChannelSpace>> {
  return listPage<SpaceRow & { channelId: string; type: string }, ChannelSpace>(ctx, page, {
    order: {
      first: { column: sql`cu.created_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: sql`c.internal_id`, isDescending: false },
    },
    select: ({ where, orderBy, limit }) => sql`
      select c.channel_id, c.internal_id, coalesce(nullif(c.display_name, ''), c.channel_id) as display_name,
        c.type::text as type, cu.membership, cu.roles, cu.created_at as since,
        ${mutedUntil(ctx, sql`cu`)} as muted_until
      from channel_user cu join channel c on c.channel_id = cu.channel_id
      where cu.user_id = ${userId} and cu.membership <> 'none' and not cu.is_deleted
        and ${knowsChannel(ctx, 'VIEW_CHANNELS', sql`c.channel_id`)} and ${where}
      order by ${orderBy} ${limit}`,
    positionOf,
    toItem,
  })
}

function toItem<Row extends SpaceRow>({ internalId: _, since, mutedUntil, ...space }: Row) {
  return { ...space, since: timestampOf(since), ...present({ mutedUntil: mutedUntil && timestampOf(mutedUntil) }) }
}
