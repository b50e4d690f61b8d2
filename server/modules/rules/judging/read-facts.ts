import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { COMMUNITY_ACTIONS } from '#server/core/permissions.ts'
import { grants } from '#server/core/role-permissions.ts'
import type { Author, AuthorFact, Facts, NeededFacts } from '#server/modules/rules/conditions/facts.ts'
import { readLinkRates } from '#server/modules/rules/judging/read-link-rates.ts'
import { readRejected } from '#server/modules/rules/judging/read-rejected.ts'

const DAY_MS = 86_400_000
/** No condition asks for more. */
const COUNTED = 1_000
const LIMIT = sql.raw(`limit ${COUNTED}`)

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

/** What rules need to know of a community's items besides what they say, as of the moment each was written: nothing is read that they don't need. */
export async function readFacts(
  ctx: Ctx,
  communityId: string,
  writings: Writing[],
  needed: NeededFacts,
): Promise<OutsideFacts[]> {
  const ofAuthors = await readAuthors(ctx, communityId, writings, needed)
  const said = writings.map(({ item: { texts }, textAt, subjectId }) => ({ texts, textAt, subjectId }))
  const rejected = await readRejected(ctx, communityId, said, needed.rejected)
  const ofLinks = needed.rates.filter(({ by }) => by !== 'author')
  const linkRates = await readLinkRates(ctx, communityId, said, ofLinks)
  return writings.map((_, index) => {
    const { author, rates = [] } = ofAuthors[index] ?? {}
    return { author, rates: [...rates, ...(linkRates[index] ?? [])], rejected: rejected[index] ?? [] }
  })
}

/**
 * What is known of authors, in one statement, or none if nothing is needed. Contributions and decisions are those in the community, bans also
 * those from the network; rates count what the author wrote anywhere. The membership is the current one. Uses comment_of_author, post_of_author,
 * decision_author_id_decided_at_idx and ban_user_id_created_at_idx.
 */
async function readAuthors(
  ctx: Ctx,
  communityId: string,
  writings: Writing[],
  needed: NeededFacts,
): Promise<Pick<Facts, 'author' | 'rates'>[]> {
  const minutes = needed.rates.filter(({ by }) => by === 'author').map(({ withinMinutes }) => withinMinutes)
  const isAuthorAsked = needed.author.length > 0
  if (!isAuthorAsked && minutes.length === 0) return writings.map(() => ({}))
  const rows = await query<FactsRow>(
    ctx,
    sql`
    select ${authorColumns(communityId, needed.author)}, array(
      select ${countWritten(sql`created_at > item.at - make_interval(mins => within.minutes)`)}
      from unnest(${minutes}::int[]) with ordinality as within(minutes, place) order by within.place) as written
    from unnest(${writings.map(({ authorId }) => authorId)}::text[], ${writings.map(({ at }) => at.toISOString())}::timestamptz[])
      with ordinality as item(author_id, at, place)
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

/** What isn't asked for isn't read: it is 0, or `notMember`. */
function authorColumns(communityId: string, asked: AuthorFact[]): Sql {
  const decided = sql`
    from decision d
    where d.author_id = item.author_id and d.community_id = ${communityId} and d.undone_at is null and d.decided_at < item.at`
  const counted = (rows: Sql) => sql`(select count(*)::int from (select ${rows} ${LIMIT}) counted)`
  const { reviewComments, reviewPosts } = COMMUNITY_ACTIONS
  const column = (fact: AuthorFact, name: string, value: Sql, otherwise = sql`0`) =>
    sql`, ${asked.includes(fact) ? value : otherwise} as ${sql.raw(name)}`
  const approved = sql`${decided} and d.outcome = 'approved' and not exists (
    select from decision reversal
    where reversal.subject_type = d.subject_type and reversal.subject_id = d.subject_id and reversal.is_reversal
      and reversal.outcome = 'rejected'
      and reversal.undone_at is null and reversal.decided_at < item.at)`
  const bans = sql`
    from ban b
    where b.user_id = item.author_id and (b.scope = 'network' or b.community_id = ${communityId}) and b.created_at < item.at`
  const membership = sql`coalesce((
    select case when ${grants(sql`mine.roles`, reviewComments.local)} or ${grants(sql`mine.roles`, reviewPosts.local)}
      then 'moderator' else 'member' end
    from community_user mine
    where mine.community_id = ${communityId} and mine.user_id = item.author_id and mine.membership = 'member'
      and not mine.is_deleted), 'notMember')`
  return sql`u.created_at
    ${column('contributions', 'contributions', countWritten(sql`community_id = ${communityId}`))}
    ${column('decisions', 'approved', counted(approved))}
    ${column('decisions', 'rejected', counted(sql`${decided} and d.outcome = 'rejected'`))}
    ${column('bans', 'bans', counted(bans))}
    ${column('membership', 'membership', membership, sql`'notMember'`)}`
}

/** Comments and posts of the author before the item, as far as conditions count. */
function countWritten(where: Sql): Sql {
  const isBefore = sql`created_at < item.at and ${where} ${LIMIT}`
  return sql`(
    select count(*)::int from (
      (select from comment where user_id = item.author_id and ${isBefore})
      union all (select from post where posted_user_id = item.author_id and parent_post_id is null and ${isBefore})
    ) written)`
}
