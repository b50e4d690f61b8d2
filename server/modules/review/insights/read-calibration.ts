import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, sql } from '#server/core/db.ts'
import { STANDING_OUTCOME } from '#server/modules/review/backtests/read-decided.ts'
import { dayPieces } from '#server/modules/review/insights/day-pieces.ts'
import type { Calibration, CalibrationInput, ScoreBand } from '#server/modules/review/insights/schema.ts'
import { assertVisible, visibleSpaces } from '#server/modules/review/queue/visible-spaces.ts'

/** How many of the latest decisions are looked at: enough for narrow intervals, few enough for a moment. */
const DECISIONS = 10_000
const SIGNALS = 20
/** How many standard deviations around its mean hold 95 % of a normal distribution. */
const Z = 1.96

interface BandRow {
  name: string
  band: number
  approved: number
  rejected: number
}

/** A band, with the number of decisions, at most one more than are looked at; one row without a band if none has a score. */
type CountedRow = { count: number } & (BandRow | { [Name in keyof BandRow]: null })

/**
 * What people decided on scored items of a community in a period: for each signal and each tenth of its scores, how many were rejected. A
 * score that was measured before the last edit isn't counted. For callers with VIEW_HISTORY, and for reviewers as far as they review;
 * FORBIDDEN for others, NOT_FOUND for an unknown community. Uses decision_on_held, signal_pkey, comment_pkey and post_pkey.
 */
export async function readCalibration(ctx: Ctx, { communityId, ...range }: CalibrationInput): Promise<Calibration> {
  await assertVisible(ctx, communityId)
  const { starts, end } = dayPieces(range)
  const rows = await query<CountedRow>(
    ctx,
    sql`${NO_PREPARE}
    with latest as materialized (
      select d.* from ${visibleSpaces(ctx, communityId)} space join decision d on d.community_id = space.community_id
      where d.community_id = ${communityId} and d.held_at is not null and d.undone_at is null and d.outcome in ('approved', 'rejected')
        and (space.comments and d.subject_type = 'comment' or space.posts and d.subject_type = 'post')
        and d.decided_at >= ${starts[0] ?? end} and d.decided_at < ${end}
      order by d.decided_at desc ${sql.raw(`limit ${DECISIONS + 1}`)}),
    scored as (
      select s.name, least(floor(s.score * 10), 9)::int as band, ${STANDING_OUTCOME} as outcome
      from (select * from latest ${sql.raw(`limit ${DECISIONS}`)}) d
      join signal s on s.subject_type = d.subject_type and s.subject_id = d.subject_id
      left join comment c on d.subject_type = 'comment' and c.comment_id = d.subject_id
      left join post p on d.subject_type = 'post' and p.post_id = d.subject_id
      where s.measured_at >= coalesce(c.edited_at, p.edited_at, '-infinity'))
    select total.count, banded.* from (select count(*)::int as count from latest) total left join (
      select name, band, (count(*) filter (where outcome = 'approved'))::int as approved,
        (count(*) filter (where outcome = 'rejected'))::int as rejected
      from scored group by name, band) banded on true
    order by name, band`,
  )
  const count = rows[0]?.count ?? 0
  const scored = rows.filter((row) => row.name !== null)
  const signals = [...Map.groupBy(scored, ({ name }) => name)].map(([name, bands]) => ({
    name,
    items: bands.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0),
    bands: bands.map(toBand),
  }))
  return {
    decisions: Math.min(count, DECISIONS),
    isPartial: count > DECISIONS,
    signals: signals.sort((one, other) => other.items - one.items).slice(0, SIGNALS),
  }
}

function toBand({ band, approved, rejected }: BandRow): ScoreBand {
  return { from: band / 10, approved, rejected, rejectedBetween: intervalOf(rejected, approved + rejected) }
}

/** Wilson's score interval of a share. */
export function intervalOf(met: number, count: number): [number, number] {
  const share = met / count
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))
  const [middle, scale] = [share + Z ** 2 / (2 * count), 1 + Z ** 2 / count]
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}
