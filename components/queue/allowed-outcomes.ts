import type { Outcome, QueueView } from '#server/modules/review/queue/schema.ts'

/** What a yes and a no are in a view: what is held is approved or rejected, what is reported dismissed or deleted. */
export function allowedOutcomes(view: QueueView | undefined): readonly [yes: Outcome, no: Outcome] {
  return view === 'reported' ? ['dismissed', 'deleted'] : ['approved', 'rejected']
}

/** Whether it takes something away for good, and so wants a reason. */
export function isRemoval(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'deleted'
}
