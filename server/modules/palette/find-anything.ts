import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, type Sql } from '#server/core/db.ts'
import { containing } from '#server/core/like.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { mayKnowChannel } from '#server/modules/channels/channel-scope.ts'
import { isVisible } from '#server/modules/communities/visible.ts'
import type { FindInput, FoundThings } from '#server/modules/palette/schema.ts'
import { heldBy } from '#server/modules/review/held-by.ts'

const SHOWN = 6
const HELD_COUNTED = 100
/**
 * Of names that hold it, or are much like it, so many are compared. Were it as few as are shown, the planner would hope to meet
 * them early in the table and, where there are none, read all of it.
 */
const COMPARED = 500
/** Shorter ones are in no trigram: they are beginnings of names, or ids. */
const TRIGRAM_LENGTH = 3

/**
 * People, channels and communities by id or name, in one statement: those that the caller may know of, the few that fit best.
 * Anyone at the desk may look people up, as over REST; what of theirs waits is counted where the caller reviews.
 */
export async function findAnything(ctx: Ctx, { query: typed }: FindInput): Promise<FoundThings> {
  const words = typed.trim()
  if (words === '') return { users: [], channels: [], communities: [] }

  const rows = await query<FoundRow>(
    ctx,
    Prisma.sql`
    select 'user' as kind, u.user_id as id, coalesce(nullif(u.display_name, ''), u.user_id) as "displayName", f.place, f.likeness,
      ${heldBy(ctx, Prisma.sql`u.user_id`, HELD_COUNTED)} as held, u.is_global_ban as "isGlobalBan", false as reviews
    from ${bestOf(PEOPLE, words, Prisma.sql`not u.is_deleted`)} f join network_user u on u.user_id = f.id
    union all
    select 'channel', c.channel_id, coalesce(nullif(c.display_name, ''), c.channel_id), f.place, f.likeness, 0, false, false
    from ${bestOf(CHANNELS, words, Prisma.sql`not c.is_deleted and ${mayKnowChannel(ctx)}`)} f
    join channel c on c.channel_id = f.id
    union all
    select 'community', k.community_id, coalesce(nullif(k.display_name, ''), k.community_id), f.place, f.likeness, 0, false,
      (${mayInCommunity(ctx, 'reviewComments', Prisma.sql`k.community_id`)}
        or ${mayInCommunity(ctx, 'reviewPosts', Prisma.sql`k.community_id`)})
    from ${bestOf(COMMUNITIES, words, Prisma.sql`not k.is_deleted and ${isVisible(ctx)}`)} f
    join community k on k.community_id = f.id
    order by place, likeness desc, "displayName", id`,
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

interface Named {
  from: Sql
  id: Sql
  /** As the index of the list by name is worded. */
  sortName: Sql
  /** What the trigram index of names is on. */
  name: Sql
  /** Whether any part of it is such: the columns that have a trigram index. */
  holds: (pattern: string) => Sql
}

/** network_user_pkey, network_user_by_name; network_user_name, network_user_id and network_user_handle. */
const PEOPLE: Named = {
  from: Prisma.sql`network_user u`,
  id: Prisma.sql`u.user_id`,
  sortName: Prisma.sql`lower(coalesce(u.display_name, u.user_id))`,
  name: Prisma.sql`u.display_name`,
  holds: (pattern) =>
    Prisma.sql`(u.display_name ilike ${pattern} or u.user_id ilike ${pattern} or u.profile_handle ilike ${pattern})`,
}

/** channel_pkey, channel_by_name; channel_name_part. */
const CHANNELS: Named = {
  from: Prisma.sql`channel c`,
  id: Prisma.sql`c.channel_id`,
  sortName: Prisma.sql`lower(left(coalesce(c.display_name, c.channel_id), 80))`,
  name: Prisma.sql`lower(c.display_name)`,
  holds: (pattern) => Prisma.sql`lower(c.display_name) ilike ${pattern}`,
}

/** community_pkey, community_by_name; community_named. */
const COMMUNITIES: Named = {
  from: Prisma.sql`community k`,
  id: Prisma.sql`k.community_id`,
  sortName: Prisma.sql`lower(left(coalesce(k.display_name, k.community_id), 80))`,
  name: Prisma.sql`k.display_name`,
  holds: (pattern) => Prisma.sql`k.display_name ilike ${pattern}`,
}

/**
 * The ids that fit best and their places. Each further way of looking is only gone where those before found too little: a
 * common part of a name costs a look through many, and a misspelling more.
 */
function bestOf(table: Named, words: string, isKnown: Sql): Sql {
  const { from, id, sortName, name, holds } = table
  const isLongEnough = words.length >= TRIGRAM_LENGTH
  const begins = Prisma.sql`starts_with(${sortName}, lower(${words}))`
  const shown = Prisma.raw(`limit ${SHOWN}`)
  const compared = Prisma.raw(`limit ${COMPARED}`)
  return Prisma.sql`(
    with begun as materialized (
      (select ${id} as id, 0 as place, 0::real as likeness, ${sortName} as name from ${from} where ${id} = ${words} and ${isKnown})
      union all
      (select ${id}, 1, 0, ${sortName} from ${from}
       where ${sortName} >= lower(${words}) and ${sortName} < lower(${words}) || chr(1114111) and ${begins}
         and ${id} <> ${words} and ${isKnown}
       order by ${sortName}, ${id} ${shown})),
    held as materialized (
      select ${id} as id, 2 as place, 0::real as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and (select count(*) from begun) < ${SHOWN}
        and ${holds(containing(words))} and not ${begins} and ${id} <> ${words} and ${isKnown} ${compared}),
    alike as materialized (
      select ${id} as id, 3 as place, word_similarity(${words}, ${name}) as likeness, ${sortName} as name from ${from}
      where ${isLongEnough} and not exists (select from begun) and not exists (select from held)
        and ${words} <% ${name} and ${isKnown} ${compared})
    select id, place, likeness from (select * from begun union all select * from held union all select * from alike) found
    order by place, likeness desc, name, id ${shown})`
}
