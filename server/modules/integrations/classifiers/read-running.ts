import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { Asked } from '#server/modules/integrations/classifiers/ask-classifier.ts'

/** A classifier that is on. */
export interface RunningClassifier extends Asked {
  classifierId: string
  batchSize: number
  /** Its circuit breaker is open. */
  isOpen: boolean
}

/** The classifiers that are on, as they are now. */
export function readRunning(ctx: Ctx): Promise<RunningClassifier[]> {
  return query<RunningClassifier>(
    ctx,
    sql`
    select classifier_id, url, secret, deadline_ms, batch_size, opened_at is not null as is_open from classifier
    where disabled_at is null and removed_at is null order by classifier_id`,
  )
}
