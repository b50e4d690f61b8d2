import type { Outcome, QueueView } from '#server/modules/review/queue/schema.ts'

/** The positive and negative outcome in a view: held items are approved or rejected, reported items dismissed or deleted. */
export function allowedOutcomes(view: QueueView | undefined): readonly [yes: Outcome, no: Outcome] {
  return view === 'reported' ? ['dismissed', 'deleted'] : ['approved', 'rejected']
}

/** Whether the outcome removes content permanently and therefore needs a reason. */
export function isRemoval(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'deleted'
}
