import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Classifier } from '#server/modules/integrations/classifiers/schema.ts'
import { type ClassifierRow, toClassifier } from '#server/modules/integrations/classifiers/view.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'

/** The most waiting items that are counted. */
export const COUNTED = 10_000

/** The classifiers in the order they were added, each with its health. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS. */
export async function listClassifiers(ctx: Ctx): Promise<Classifier[]> {
  assertMayManageWebhooks(ctx)
  return (await readRows(ctx, sql`true`)).map(toClassifier)
}

/** A classifier that was just changed. */
export async function answerClassifier(ctx: Ctx, classifierId: string): Promise<Classifier> {
  const [row] = await readRows(ctx, sql`c.classifier_id = ${classifierId}`)
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return toClassifier(row)
}

/** Uses classifier_item_classifier_id_due_at_idx. */
function readRows(ctx: Ctx, which: Sql): Promise<ClassifierRow[]> {
  return query<ClassifierRow>(
    ctx,
    sql`
    select c.classifier_id, c.version, c.name, c.url, c.community_id, k.display_name as community_name, c.kinds::text[] as kinds,
      c.deadline_ms, c.batch_size, c.failures, c.opened_at, c.probe_at, c.disabled_at,
      (select count(*)::int from (
        select from classifier_item i where i.classifier_id = c.classifier_id limit ${COUNTED}) counted) as waiting,
      c.answered::float8 as answered, c.failed::float8 as failed, c.dropped::float8 as dropped,
      (select percentile_disc(0.5) within group (order by ms) from unnest(c.recent_ms) as ms) as median_ms,
      c.last_answered_at, c.last_failed_at, c.last_problem, c.last_status, c.created_at
    from classifier c
    left join community k on k.community_id = c.community_id
    where c.removed_at is null and ${which}
    order by c.created_at, c.classifier_id`,
  )
}
