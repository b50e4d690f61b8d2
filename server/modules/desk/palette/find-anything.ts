import type { Ctx } from '#server/core/ctx.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { query, sql } from '#server/core/db.ts'
import { type NamedTable, rankByName } from '#server/core/fuzzy-name-search.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { NAMED_PEOPLE } from '#server/modules/accounts/users/named-people.ts'
import type { FindInput, FoundThings } from '#server/modules/desk/palette/schema.ts'
import { countHeldByAuthor } from '#server/modules/review/queue/count-held-by-author.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

const SHOWN = 6
const HELD_COUNTED = 100

/**
 * People, channels and communities by id or name, in one statement: the best few matches that the caller may see. Anyone at the desk may
 * look people up, as over REST; a person's pending items are counted where the caller reviews.
 */
export async function findAnything(ctx: Ctx, { query: typed }: FindInput): Promise<FoundThings> {
  const words = typed.trim()
  if (words === '') return { users: [], channels: [], communities: [] }

  const rows = await query<FoundRow>(
    ctx,
    sql`
    select 'user' as kind, u.user_id as id, coalesce(nullif(u.display_name, ''), u.user_id) as display_name, f.position, f.likeness,
      ${countHeldByAuthor(ctx, sql`u.user_id`, HELD_COUNTED)} as held, u.is_global_ban, false as reviews
    from ${rankByName(NAMED_PEOPLE, words, sql`not u.is_deleted`, SHOWN)} f join network_user u on u.user_id = f.id
    union all
    select 'channel', c.channel_id, coalesce(nullif(c.display_name, ''), c.channel_id), f.position, f.likeness, 0, false, false
    from ${rankByName(CHANNELS, words, sql`not c.is_deleted and ${mayKnowChannel(ctx)}`, SHOWN)} f
    join channel c on c.channel_id = f.id
    union all
    select 'community', k.community_id, coalesce(nullif(k.display_name, ''), k.community_id), f.position, f.likeness, 0, false,
      (${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)}
        or ${mayInCommunity(ctx, 'reviewPosts', sql`k.community_id`)})
    from ${rankByName(COMMUNITIES, words, sql`not k.is_deleted and ${isVisible(ctx)}`, SHOWN)} f
    join community k on k.community_id = f.id
    order by position, likeness desc, display_name, id`,
  )
  const of = (kind: FoundRow['kind']) => rows.filter((row) => row.kind === kind)
  return {
    users: of('user').map(({ id, displayName, held, isGlobalBan }) => ({ userId: id, displayName, held, isGlobalBan })),
    channels: of('channel').map(({ id, displayName }) => ({ channelId: id, displayName })),
    communities: of('community').map(({ id, displayName, reviews }) => ({ communityId: id, displayName, reviews })),
  }
}

interface FoundRow {
  kind: 'user' | 'channel' | 'community'
  id: string
  displayName: string
  held: number
  isGlobalBan: boolean
  reviews: boolean
}

/** channel_pkey, channel_by_name; channel_name_part. */
const CHANNELS: NamedTable = {
  from: sql`channel c`,
  id: sql`c.channel_id`,
  isExactMatch: (typed) => sql`c.channel_id = ${typed}`,
  sortName: sql`lower(left(coalesce(c.display_name, c.channel_id), 80))`,
  fold: (typed) => sql`lower(${typed})`,
  names: [sql`folded_text(c.display_name)`],
  contains: (_, typed) => containsFolded(sql`c.display_name`, typed),
}

/** community_pkey, community_by_name; community_named. */
const COMMUNITIES: NamedTable = {
  from: sql`community k`,
  id: sql`k.community_id`,
  isExactMatch: (typed) => sql`k.community_id = ${typed}`,
  sortName: sql`lower(left(coalesce(k.display_name, k.community_id), 80))`,
  fold: (typed) => sql`lower(${typed})`,
  names: [sql`folded_text(k.display_name)`],
  contains: (_, typed) => containsFolded(sql`k.display_name`, typed),
}
