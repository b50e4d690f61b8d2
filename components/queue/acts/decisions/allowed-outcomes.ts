import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'

/** The positive and negative outcome: held items are approved or rejected, reported items dismissed or deleted. */
export function allowedOutcomes(
  view: QueueView | undefined,
  item: QueueItem | undefined,
): readonly [yes: Outcome, no: Outcome] {
  const isOfReports = item ? item.kind === 'reported' : view === 'reported'
  return isOfReports ? ['dismissed', 'deleted'] : ['approved', 'rejected']
}

/** Whether the outcome removes content permanently and therefore needs a reason. */
export function isRemoval(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'deleted'
}
