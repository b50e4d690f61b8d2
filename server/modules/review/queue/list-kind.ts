import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { toCursor } from '#server/core/paging.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import type { Kind, ListOptions } from '#server/modules/review/queue/kind.ts'
import { afterPosition, byPosition, inPlaceOrder, placeOf } from '#server/modules/review/queue/position.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { DeskQueueInput, QueuePage } from '#server/modules/review/queue/schema.ts'

interface Options extends ListOptions {
  /** Whether the caller may have such items in spaces they are not a member of. */
  isEverywhere: boolean
}

/**
 * What is pending of a kind other than the held items, by its place, paged by cursor: in one community, or all that the caller may review. Fails with NOT_FOUND
 * for an unknown community, FORBIDDEN for one the caller does not review, INVALID_PARAMETERS for an invalid cursor.
 */
export async function listKind(
  ctx: Ctx,
  kind: Kind,
  input: DeskQueueInput,
  { isExport = false, isEverywhere }: Options,
): Promise<QueuePage> {
  const [space] = input.communityId === undefined ? [] : await reviewedSpaces(ctx, input.communityId)
  const found = await kind.read(ctx, pageOf(ctx, kind, { ...input, isEverywhere }), {
    isWhole: isExport,
    isCounted: false,
  })
  const items = found.sort(byPosition(input.order)).slice(0, input.limit)
  const last = found.length > input.limit ? items.at(-1) : undefined
  return {
    items,
    ...(last && { next: toCursor(placeOf(input.order, last)) }),
    narrowedTo: { ...(space && { community: { communityId: space.communityId, displayName: space.displayName } }) },
  }
}

type Scanned = DeskQueueInput & Pick<Options, 'isEverywhere'>

/** One more than the page. Uses review_item_of_kind, review_item_in_community and review_item_in_channel. */
function pageOf(ctx: Ctx, { name, mayReview, isOpen }: Kind, input: Scanned): Sql {
  const order = inPlaceOrder(input.order)
  const scan = (where: Sql) => sql`(
    select i.* from review_item i
    where i.state = 'waiting' and i.kind = ${sql.raw(`'${name}'`)} and ${where} and ${mayReview(ctx)} and ${isOpen}
      ${input.kind === undefined ? sql.empty : sql`and i.subject_type = ${input.kind}`} ${afterPosition(input)}
    order by ${order} ${atMost(input.limit + 1)})`
  return sql`select i.* from (${scans(ctx, input, scan)}) i order by ${order} ${atMost(input.limit + 1)}`
}

/**
 * One index scan for callers who may review all of the kind, else one for each channel where they have a role, and one for each type in each such
 * community.
 */
function scans(ctx: Ctx, { communityId, isEverywhere }: Scanned, scan: (where: Sql) => Sql): Sql {
  const inCommunity = (id: Sql) =>
    sql.join(
      IN_COMMUNITIES.map((type) => scan(sql`i.community_id = ${id} and i.subject_type = ${sql.raw(`'${type}'`)}`)),
      ' union all ',
    )
  if (communityId !== undefined) return inCommunity(sql`${communityId}`)
  if (isEverywhere) return scan(sql`true`)
  const own = sql`mine.user_id = ${actingUserId(ctx) ?? null} and mine.membership = 'member' and mine.roles <> '{}'`
  return sql`
    select i.* from community_user mine
    cross join lateral (${inCommunity(sql`mine.community_id`)}) i where ${own}
    union all
    select i.* from channel_user mine
    cross join lateral ${scan(sql`i.channel_id = mine.channel_id`)} i where ${own}`
}

const IN_COMMUNITIES = ['comment', 'post'] as const
