import type { QueueView } from '#server/modules/review/schema.ts'

/** What an event means to a list: an item came to it or left it, or is to be looked at again. */
export type Change = 'came' | 'left' | 'changed'

const CHANGES: Record<string, Record<QueueView, Change>> = {
  didHold: { waiting: 'came', escalated: 'changed' },
  didUndo: { waiting: 'came', escalated: 'came' },
  didEscalate: { waiting: 'left', escalated: 'came' },
  didDeescalate: { waiting: 'came', escalated: 'left' },
  didApprove: { waiting: 'left', escalated: 'left' },
  didDecline: { waiting: 'left', escalated: 'left' },
  didDelete: { waiting: 'left', escalated: 'left' },
  didWithdraw: { waiting: 'left', escalated: 'left' },
}

/** By the last word of its name: `v3.post.didApprove`, `desk.comment.didHold`. */
export function changeOf(name: string, view: QueueView = 'waiting'): Change {
  return CHANGES[name.slice(name.lastIndexOf('.') + 1)]?.[view] ?? 'changed'
}
