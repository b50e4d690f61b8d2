import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { FAILURES_TO_OPEN } from '#server/modules/integrations/classifiers/schema.ts'

const FIRST_PROBE_AFTER_MS = 15_000
const PROBE_AFTER_AT_MOST_MS = 10 * 60_000

/** The circuit breaker as it is stored. */
export interface Breaker {
  failures: number
  openedAt: Date | null
  probeAt: Date | null
  probes: number
}

/** The breaker after some requests: any that was answered closes it; it opens when enough in a row failed. */
export function breakerAfter(
  breaker: Breaker,
  { answered, failed, now }: { answered: number; failed: number; now: Date },
): Breaker {
  if (answered > 0) return { failures: 0, openedAt: null, probeAt: null, probes: 0 }
  const failures = breaker.failures + failed
  if (breaker.openedAt !== null || failures < FAILURES_TO_OPEN) return { ...breaker, failures }
  return { failures, openedAt: now, probeAt: new Date(now.getTime() + FIRST_PROBE_AFTER_MS), probes: 0 }
}

/**
 * Those of the classifiers with an open breaker that this process may send one request to. Of several processes one gets it, and the next
 * probe follows later each time, also if this process dies.
 */
export async function claimProbes(ctx: Ctx): Promise<string[]> {
  const now = ctx.now()
  const claimed = await query<{ classifierId: string }>(
    ctx,
    sql`
    update classifier c set probes = probes + 1,
      probe_at = ${now}::timestamptz + make_interval(secs => least(${FIRST_PROBE_AFTER_MS}::float8 * 2 ^ least(probes + 1, 20),
        ${PROBE_AFTER_AT_MOST_MS}) / 1000)
    where opened_at is not null and probe_at <= ${now} and disabled_at is null and removed_at is null
      and exists (select from classifier_item i where i.classifier_id = c.classifier_id and i.due_at <= ${now})
    returning classifier_id`,
  )
  return claimed.map(({ classifierId }) => classifierId)
}
