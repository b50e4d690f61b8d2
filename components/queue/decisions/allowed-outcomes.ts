import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'

/** Whether a row is a report of an item, and not the item as it is held: in the reported view, and among what is escalated. */
export function isReport({ kind }: Pick<QueueItem, 'kind'>): boolean {
  return kind === 'reported'
}

/** The positive and negative outcome: held items are approved or rejected, reported items dismissed or deleted. */
export function allowedOutcomes(
  view: QueueView | undefined,
  item: QueueItem | undefined,
): readonly [yes: Outcome, no: Outcome] {
  const isOfReports = item ? isReport(item) : view === 'reported'
  return isOfReports ? ['dismissed', 'deleted'] : ['approved', 'rejected']
}

/** Whether the outcome removes content permanently and therefore needs a reason. */
export function isRemoval(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'deleted'
}
