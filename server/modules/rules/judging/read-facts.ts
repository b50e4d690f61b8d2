import type { Ctx } from '#server/core/ctx.ts'
import { isInTransaction, listOf, query, type Sql, sql } from '#server/core/db.ts'
import { CHANNEL_ACTIONS, COMMUNITY_ACTIONS } from '#server/core/permissions.ts'
import { grants } from '#server/core/role-permissions.ts'
import type { Author, AuthorFact, Facts, NeededFacts } from '#server/modules/rules/conditions/facts.ts'
import { type LinkRate, readLinkRates } from '#server/modules/rules/judging/read-link-rates.ts'
import { readRejected } from '#server/modules/rules/judging/read-rejected.ts'

const DAY_MS = 86_400_000
/** No condition asks for more. */
const COUNTED = 1_000
const LIMIT = sql.raw(`limit ${COUNTED}`)
/** Somebody may have written a million items elsewhere: what they wrote in one place, and decisions there, are looked for in their latest. */
const LATEST = sql.raw('limit 5000')
const LATEST_WRITTEN = sql`order by created_at desc ${LATEST}`

interface FactsRow extends Omit<Author, 'accountAgeDays'> {
  createdAt: Date
  /** For each number of minutes: what the author wrote in them. */
  written: number[]
}

/** Who wrote something in the community, and when. */
interface Writing {
  authorId: string
  at: Date
  /** Of what was edited: since when it says what it says. */
  textAt: Date
  subjectId?: string | undefined
  item: Pick<Facts, 'texts'>
}

type OutsideFacts = Pick<Facts, 'author' | 'rates' | 'rejected'>

/** Where it was written: in a community, or as a message in a channel, which may be a community's. */
export interface WrittenIn {
  communityId: string | null
  channelId?: string | undefined
}

/** What rules need to know of a space's items besides what they say, as of the moment each was written: nothing is read that they don't need. */
export async function readFacts(
  ctx: Ctx,
  space: WrittenIn,
  writings: Writing[],
  needed: NeededFacts,
): Promise<OutsideFacts[]> {
  const said = writings.map(({ item: { texts }, textAt, subjectId }) => ({ texts, textAt, subjectId }))
  const ofLinks = needed.rates.filter((rate): rate is LinkRate => rate.by !== 'author')
  const [ofAuthors, rejected, linkRates] = await allOf(ctx, [
    () => readAuthors(ctx, space, writings, needed),
    () => readRejected(ctx, space.communityId, said, needed.rejected),
    () => readLinkRates(ctx, space, said, ofLinks),
  ])
  return writings.map((_, index) => {
    const { author, rates = [] } = ofAuthors[index] ?? {}
    return { author, rates: [...rates, ...(linkRates[index] ?? [])], rejected: rejected[index] ?? [] }
  })
}

/** A write sends its statements together, so that they cost one round trip. Others, which read much, take one connection. */
async function allOf<One, Two, Three>(
  ctx: Ctx,
  [one, two, three]: [() => Promise<One>, () => Promise<Two>, () => Promise<Three>],
): Promise<[One, Two, Three]> {
  return isInTransaction(ctx) ? Promise.all([one(), two(), three()]) : [await one(), await two(), await three()]
}

/**
 * What is known of authors, in one statement, or none if nothing is needed. Contributions and decisions are those in the community, bans also
 * those from the network; rates count what the author wrote anywhere. Of the authors of messages, it is what they wrote in channels, and what
 * happened in this one. The membership is the current one. One plan serves all calls. Uses comment_of_author, post_of_author, message_of_author,
 * decision_author_id_decided_at_idx and ban_user_id_created_at_idx.
 */
async function readAuthors(
  ctx: Ctx,
  space: WrittenIn,
  writings: Writing[],
  needed: NeededFacts,
): Promise<Pick<Facts, 'author' | 'rates'>[]> {
  const { columns, countWritten } = sourcesIn(space)
  const minutes = needed.rates.filter(({ by }) => by === 'author').map(({ withinMinutes }) => withinMinutes)
  const isAuthorAsked = needed.author.length > 0
  if (!isAuthorAsked && minutes.length === 0) return writings.map(() => ({}))
  const [authorIds, times] = [writings.map(({ authorId }) => authorId), writings.map(({ at }) => at.toISOString())]
  const rows = await query<FactsRow>(
    ctx,
    sql`
    select ${authorColumns(columns, needed.author)}, array(
      select ${countWritten(sql`written.created_at > item.at - make_interval(mins => within.minutes)`)}
      from unnest(${listOf(minutes.map(String))}::int[]) with ordinality as within(minutes, place) order by within.place) as written
    from unnest(${listOf(authorIds)}, ${listOf(times)}::timestamptz[]) with ordinality as item(author_id, at, place)
    join network_user u on u.user_id = item.author_id order by item.place`,
  )
  return rows.map(({ createdAt, written, ...author }, index) => {
    const age = (writings[index]?.at.getTime() ?? 0) - createdAt.getTime()
    return {
      ...(isAuthorAsked && { author: { ...author, accountAgeDays: Math.max(0, age) / DAY_MS } }),
      // With the item itself.
      rates: minutes.map((withinMinutes, index) => {
        return { by: 'author', scope: 'network', withinMinutes, count: (written[index] ?? 0) + 1 }
      }),
    }
  })
}

/** What each fact about an author is in some space, as SQL expressions. */
type AuthorColumns = Record<'contributions' | 'approved' | 'rejected' | 'bans' | 'membership', Sql>

/** What isn't asked for isn't read: it is 0, or `notMember`. */
function authorColumns(columns: AuthorColumns, asked: AuthorFact[]): Sql {
  const column = (fact: AuthorFact, name: keyof AuthorColumns, otherwise = sql`0`) =>
    sql`, ${asked.includes(fact) ? columns[name] : otherwise} as ${sql.raw(name)}`
  return sql`u.created_at
    ${column('contributions', 'contributions')}
    ${column('decisions', 'approved')}
    ${column('decisions', 'rejected')}
    ${column('bans', 'bans')}
    ${column('membership', 'membership', sql`'notMember'`)}`
}

interface Sources {
  columns: AuthorColumns
  /** What the author wrote before the item, under `written`, as far as conditions count. */
  countWritten: (where: Sql) => Sql
}

function sourcesIn({ communityId, channelId }: WrittenIn): Sources {
  return channelId === undefined ? inCommunity(communityId) : inChannel(channelId)
}

function inCommunity(communityId: string | null): Sources {
  const decided = decidedIn(sql`d.community_id = ${communityId}`)
  const { reviewComments, reviewPosts } = COMMUNITY_ACTIONS
  const approved = sql`${decided} and d.outcome = 'approved' and not exists (
    select from decision reversal
    where reversal.subject_type = d.subject_type and reversal.subject_id = d.subject_id and reversal.is_reversal
      and reversal.outcome in ('rejected', 'deleted')
      and reversal.undone_at is null and reversal.decided_at < item.at)`
  const reviews = sql`${grants(sql`mine.roles`, reviewComments.local)} or ${grants(sql`mine.roles`, reviewPosts.local)}`
  const membership = membershipIn(sql`community_user mine where mine.community_id = ${communityId}`, reviews)
  return {
    columns: {
      contributions: countContent(sql`written.community_id = ${communityId}`, LATEST_WRITTEN),
      approved: counted(approved),
      rejected: counted(sql`${decided} and d.outcome = 'rejected'`),
      bans: counted(bansIn(sql`b.community_id = ${communityId}`)),
      membership,
    },
    countWritten: countContent,
  }
}

/** A message that was reported is kept or deleted: that is what people decide on messages. */
function inChannel(channelId: string): Sources {
  const decided = decidedIn(sql`
    d.subject_type = 'message'
    and exists (select from message about where about.message_id = d.subject_id and about.channel_id = ${channelId})`)
  const deletes = grants(sql`mine.roles`, CHANNEL_ACTIONS.deleteMessages.local)
  return {
    columns: {
      contributions: countMessages(sql`written.channel_id = ${channelId}`, LATEST_WRITTEN),
      approved: counted(sql`${decided} and d.outcome in ('approved', 'dismissed')`),
      rejected: counted(sql`${decided} and d.outcome = 'deleted'`),
      bans: counted(bansIn(sql`b.channel_id = ${channelId}`)),
      membership: membershipIn(sql`channel_user mine where mine.channel_id = ${channelId}`, deletes),
    },
    countWritten: countMessages,
  }
}

const counted = (rows: Sql) => sql`(select count(*)::int from (select ${rows} ${LIMIT}) counted)`

const decidedIn = (where: Sql) => sql`
  from (
    select * from decision where author_id = item.author_id and undone_at is null and decided_at < item.at
    order by decided_at desc ${LATEST}) d
  where ${where}`

const bansIn = (where: Sql) => sql`
  from ban b where b.user_id = item.author_id and (b.scope = 'network' or ${where}) and b.created_at < item.at`

const membershipIn = (membersWhere: Sql, moderates: Sql) => sql`coalesce((
  select case when ${moderates} then 'moderator' else 'member' end
  from ${membersWhere} and mine.user_id = item.author_id and mine.membership = 'member' and not mine.is_deleted), 'notMember')`

/** Comments and posts: all, or the latest of each. */
function countContent(where: Sql, latest = sql.empty): Sql {
  const isBefore = sql`created_at < item.at ${latest}`
  return sql`(
    select count(*)::int from (
      (select from (select * from comment where user_id = item.author_id and ${isBefore}) written where ${where} ${LIMIT})
      union all (
        select from (select * from post where posted_user_id = item.author_id and parent_post_id is null and ${isBefore}) written
        where ${where} ${LIMIT})
    ) counted)`
}

/** Messages, except those of conversations: all, or the latest. */
function countMessages(where: Sql, latest = sql.empty): Sql {
  return counted(sql`
    from (
      select * from message where user_id = item.author_id and created_at < item.at ${latest}) written
    join channel ch on ch.channel_id = written.channel_id and ch.type <> 'conversation'
    where ${where}`)
}
