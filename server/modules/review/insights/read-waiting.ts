import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { type HeldType, IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { AGE_EDGES_MINUTES, type Waiting, type WaitingInput } from '#server/modules/review/insights/schema.ts'
import { ESCALATED_COUNTS, HELD_COUNTS } from '#server/modules/review/queue/held-counts.ts'
import { assertVisible, visibleSpaces } from '#server/modules/review/queue/visible-spaces.ts'
import { USUAL_TARGET_MINUTES } from '#server/modules/review/urgency/schema.ts'

const NAMED_AT_MOST = 100
const MINUTE_MS = 60_000

interface SpaceRow {
  communityId: string
  displayName: string
  isHolding: boolean
  total: number
  /** Of each age except the last. */
  young: number[]
  /** Of the most recent ones. */
  pastTarget: number
  withinMinutes: number | null
  sharePercent: number | null
}

/**
 * Pending items by age. Items younger than the last edge are counted along review_item_in_community; the last bucket is the
 * exact total minus those, so that a backlog of millions is not scanned. One statement, so one snapshot. Fails as
 * `readInsights` does.
 */
export async function readWaiting(ctx: Ctx, { communityId }: WaitingInput): Promise<Waiting> {
  await assertVisible(ctx, communityId)
  const spaces = await readSpaces(ctx, communityId)
  const waiting = spaces.map(({ young, total, pastTarget, ...space }) => {
    const old = total - young.reduce((sum, count) => sum + count, 0)
    return { ...space, ages: [...young, old], total, pastTarget: pastTarget + old }
  })
  const sum = (of: (space: (typeof waiting)[number]) => number) => waiting.reduce((sum, space) => sum + of(space), 0)
  const [only] = communityId === undefined ? [] : waiting
  return {
    total: sum(({ total }) => total),
    ages: [...AGE_EDGES_MINUTES, 0].map((_, index) => sum(({ ages }) => ages[index] ?? 0)),
    pastTarget: sum(({ pastTarget }) => pastTarget),
    ...(only?.withinMinutes != null && {
      target: { withinMinutes: only.withinMinutes, sharePercent: only.sharePercent ?? 0 },
    }),
    communities: waiting
      .filter(({ total }) => total > 0)
      .slice(0, NAMED_AT_MOST)
      .map(({ communityId, displayName, isHolding, total, pastTarget }) => ({
        communityId,
        displayName,
        isHolding,
        waiting: total,
        pastTarget,
      })),
  }
}

function readSpaces(ctx: Ctx, communityId: string | undefined): Promise<SpaceRow[]> {
  const now = ctx.now()
  // Newest first: the first bucket is below the first edge.
  const edges = AGE_EDGES_MINUTES.map((minutes) => new Date(now.getTime() - minutes * MINUTE_MS))
  const [last = now] = edges.slice(-1)
  const young = (type: HeldType) => sql`
    select i.community_id, i.placed_at from space join review_item i on i.community_id = space.community_id
    where space.${sql.raw(`${type}s`)} and ${isOfType(type)} and ${IS_HELD} and i.placed_at > ${last} and i.escalated_at is null`
  return query<SpaceRow>(
    ctx,
    sql`
    with space as materialized (select * from ${visibleSpaces(ctx, communityId)} space),
    counted as (${HELD_COUNTS}), escalated as (${ESCALATED_COUNTS}),
    young as materialized (${young('comment')} union all ${young('post')}),
    aged as (
      select young.community_id, ${sql.join(
        edges.map(
          (edge, index) =>
            sql`(count(*) filter (where young.placed_at > ${edge} ${index === 0 ? sql.empty : sql`and young.placed_at <= ${edges[index - 1]}`}))::int as ${sql.raw(`age_${index}`)}`,
        ),
      )},
        (count(*) filter (where young.placed_at <= ${now}::timestamptz - make_interval(mins => coalesce(t.within_minutes, ${USUAL_TARGET_MINUTES}::int))))::int as past
      from young left join service_target t on t.community_id = young.community_id
      group by young.community_id)
    select space.community_id, space.display_name, space.is_holding,
      (case when space.comments then coalesce(c.total, 0) - coalesce(e.comments, 0) else 0 end
        + case when space.posts then coalesce(p.total, 0) - coalesce(e.posts, 0) else 0 end)::float8 as total,
      array[${sql.join(edges.map((_, index) => sql.raw(`coalesce(a.age_${index}, 0)`)))}] as young,
      coalesce(a.past, 0) as past_target, t.within_minutes, t.share_percent
    from space
    left join counted c on c.kind = 'held_comments' and c.subject_id = space.community_id
    left join counted p on p.kind = 'held_posts' and p.subject_id = space.community_id
    left join escalated e on e.community_id = space.community_id
    left join aged a on a.community_id = space.community_id
    left join service_target t on t.community_id = space.community_id
    order by total desc, display_name, community_id`,
  )
}
