import { csvLine } from '#server/core/csv.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { readInsights } from '#server/modules/review/insights/read-insights.ts'
import { readPatterns } from '#server/modules/review/insights/read-patterns.ts'
import type { Decided, InsightsFile, InsightsInput } from '#server/modules/review/insights/schema.ts'

/**
 * The figures of the page as CSV: the total, then days, communities, people, hours of the week, reasons of rejections and rules, one line each. Small enough to be one answer. Logs the
 * export and what was asked. Fails as `readInsights` does.
 */
export function exportInsights(ctx: Ctx, input: InsightsInput): Promise<InsightsFile> {
  return inTransaction(ctx, async (ctx) => {
    const [{ total, days, communities, people }, { hours, reasons, rules }] = [
      await readInsights(ctx, input),
      await readPatterns(ctx, input),
    ]
    const { communityId, ...range } = input
    await recordAudit(ctx, {
      action: 'insights.exported',
      subjectType: 'insights',
      subjectId: 'figures',
      ...(communityId !== undefined && { communityId }),
      after: { ...range },
    })
    const lines = [
      ['of', 'id', 'name', 'held', 'approved', 'rejected', 'median_seconds', 'ninetieth_percentile_seconds'],
      ['total', undefined, undefined, total.held, ...figuresOf(total)],
      ...days.map((day) => ['day', day.day, undefined, day.held, ...figuresOf(day)]),
      ...communities.map((one) => ['community', one.communityId, one.displayName, one.held, ...figuresOf(one)]),
      ...people.map((one) => ['person', one.userId, one.displayName, undefined, ...figuresOf(one)]),
      ...hours.held.map((held, hour) => [
        ...['hour', nameOf(hour), undefined, held, hours.approved[hour], hours.rejected[hour]],
        ...NO_SPANS,
      ]),
      ...reasons.map(({ reasonId, label, count }) => [
        'reason',
        reasonId,
        label,
        undefined,
        undefined,
        count,
        ...NO_SPANS,
      ]),
      // Shares of the latest items would read like counts.
      ...(rules.isPartial
        ? []
        : rules.held.map(({ ruleId, name, count }) => [
            'rule',
            ruleId,
            name,
            count,
            undefined,
            undefined,
            ...NO_SPANS,
          ])),
    ]
    return { fileName: `insights-${range.startDate}-${range.endDate}.csv`, csv: lines.map(csvLine).join('') }
  })
}

const NO_SPANS = [undefined, undefined]
/** Of an hour of the week: `1T00` is Monday from 0:00 to 1:00. */
const nameOf = (hour: number) => `${Math.floor(hour / 24) + 1}T${String(hour % 24).padStart(2, '0')}`

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms / 1000))

function figuresOf({ approved, rejected, medianMs, ninetiethMs }: Decided) {
  return [approved, rejected, seconds(medianMs), seconds(ninetiethMs)]
}
