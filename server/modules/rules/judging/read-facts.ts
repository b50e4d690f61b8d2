import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { COMMUNITY_ACTIONS } from '#server/core/permissions.ts'
import { grants } from '#server/core/role-permissions.ts'
import type { Author, Facts, NeededFacts } from '#server/modules/rules/conditions/facts.ts'

const DAY_MS = 86_400_000
/** No condition asks for more. */
const COUNTED = 1_000

interface FactsRow extends Omit<Author, 'accountAgeDays'> {
  createdAt: Date
  /** For each number of minutes: what the author wrote in them. */
  written: number[]
}

interface Item {
  communityId: string
  authorId: string
}

/**
 * What rules need to know besides the item, in one statement, or none if they need nothing. Contributions and decisions are those in the
 * community, bans also those from the network; rates count what the author wrote anywhere. Uses comment_of_author, post_of_author,
 * decision_author_id_decided_at_idx and ban_user_id_created_at_idx.
 */
export async function readFacts(ctx: Ctx, item: Item, needed: NeededFacts): Promise<Pick<Facts, 'author' | 'rates'>> {
  const minutes = needed.rates.filter(({ by }) => by === 'author').map(({ withinMinutes }) => withinMinutes)
  if (!needed.author && minutes.length === 0) return {}
  const row = await queryOne<FactsRow>(
    ctx,
    sql`
    select ${needed.author ? authorColumns(item) : sql`u.created_at`}, array(
      select ${countWritten(item, sql`created_at > ${ctx.now()}::timestamptz - make_interval(mins => within.minutes)`)}
      from unnest(${minutes}::int[]) with ordinality as within(minutes, place) order by within.place) as written
    from network_user u where u.user_id = ${item.authorId}`,
  )
  if (row === undefined) return {}
  const { createdAt, written, ...author } = row
  const accountAgeDays = (ctx.now().getTime() - createdAt.getTime()) / DAY_MS
  return {
    ...(needed.author && { author: { ...author, accountAgeDays } }),
    // With this item, which isn't written yet.
    rates: minutes.map((withinMinutes, index) => ({ by: 'author', withinMinutes, count: (written[index] ?? 0) + 1 })),
  }
}

function authorColumns({ communityId, authorId }: Item): Sql {
  const decided = sql`
    from decision d where d.author_id = ${authorId} and d.community_id = ${communityId} and d.undone_at is null`
  const mine = sql`
    from community_user mine
    where mine.community_id = ${communityId} and mine.user_id = ${authorId} and mine.membership = 'member' and not mine.is_deleted`
  const { reviewComments, reviewPosts } = COMMUNITY_ACTIONS
  return sql`
    u.created_at, ${countWritten({ authorId }, sql`community_id = ${communityId}`)} as contributions,
    (select count(*)::int ${decided} and d.outcome = 'approved' and not exists (
      select from decision reversal
      where reversal.subject_type = d.subject_type and reversal.subject_id = d.subject_id and reversal.is_reversal
        and reversal.undone_at is null)) as approved,
    (select count(*)::int ${decided} and d.outcome = 'rejected') as rejected,
    (select count(*)::int from ban b
      where b.user_id = ${authorId} and (b.scope = 'network' or b.community_id = ${communityId})) as bans,
    coalesce((
      select case when ${grants(sql`mine.roles`, reviewComments.local)} or ${grants(sql`mine.roles`, reviewPosts.local)}
        then 'moderator' else 'member' end ${mine}), 'notMember') as membership`
}

/** Comments and posts of the author, as far as conditions count. */
function countWritten({ authorId }: Pick<Item, 'authorId'>, where: Sql): Sql {
  return sql`(
    select count(*)::int from (
      (select from comment where user_id = ${authorId} and ${where} limit ${COUNTED}::int)
      union all (select from post where posted_user_id = ${authorId} and parent_post_id is null and ${where} limit ${COUNTED}::int)
    ) written)`
}
