import type { QueueView } from '#server/modules/review/queue/schema.ts'

/** What an event means for a list: an item was added, was removed, or has to be read again. */
export type Change = 'came' | 'left' | 'changed'

const CHANGES: Record<string, Record<QueueView, Change>> = {
  didHold: { waiting: 'came', mine: 'changed', escalated: 'changed', reported: 'changed' },
  didUndo: { waiting: 'came', mine: 'came', escalated: 'came', reported: 'came' },
  didEscalate: { waiting: 'left', mine: 'changed', escalated: 'came', reported: 'changed' },
  didDeescalate: { waiting: 'came', mine: 'changed', escalated: 'left', reported: 'changed' },
  didEscalateReport: { waiting: 'changed', mine: 'changed', escalated: 'came', reported: 'changed' },
  didDeescalateReport: { waiting: 'changed', mine: 'changed', escalated: 'left', reported: 'changed' },
  didClaim: { waiting: 'changed', mine: 'came', escalated: 'changed', reported: 'changed' },
  didRelease: { waiting: 'changed', mine: 'left', escalated: 'changed', reported: 'changed' },
  didClaimReport: { waiting: 'changed', mine: 'came', escalated: 'changed', reported: 'changed' },
  didReleaseReport: { waiting: 'changed', mine: 'left', escalated: 'changed', reported: 'changed' },
  didApprove: { waiting: 'left', mine: 'left', escalated: 'left', reported: 'changed' },
  didDecline: { waiting: 'left', mine: 'left', escalated: 'left', reported: 'left' },
  // A report of what its author has deleted stays.
  didDelete: { waiting: 'left', mine: 'left', escalated: 'left', reported: 'changed' },
  didWithdraw: { waiting: 'left', mine: 'left', escalated: 'left', reported: 'changed' },
  didFlag: { waiting: 'changed', mine: 'changed', escalated: 'changed', reported: 'came' },
  didClearFlag: { waiting: 'changed', mine: 'changed', escalated: 'changed', reported: 'left' },
  // Spelt this way for messages (docs/interface/webhooks.md#messages-and-users).
  didClearflag: { waiting: 'changed', mine: 'changed', escalated: 'changed', reported: 'left' },
}

/** By the last part of its name: `v3.post.didApprove`, `desk.comment.didHold`. */
export function changeOf(name: string, view: QueueView = 'waiting'): Change {
  return CHANGES[name.slice(name.lastIndexOf('.') + 1)]?.[view] ?? 'changed'
}
