import type { RefObject } from 'react'
import type { Done } from '#components/kit/acts/done.ts'
import type { LastAct } from '#components/kit/acts/use-last-act.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { BulkProgress, PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome, Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { SelectedItems } from '../../state/selected-items.ts'
import type { QueueState } from '../../state/store/queue-state.ts'
import type { Queue } from '../../state/use-queue.ts'
import type { Selection } from '../../state/use-selection.ts'
import type { useSelectedItems } from './use-selected-items.ts'

/** What bulk actions need of the queue. */
export interface BulkInput {
  state: QueueState
  lastAct: LastAct | undefined
  queue: Queue
  selection: Selection
  input: QueueInput
  /** Says what was done, or why it wasn't. */
  done: (act: Done) => void
}

/** The act requested for all selected items. */
export interface Asked {
  outcome: HeldOutcome
  chosen: SelectedItems
  /** The item whose group is decided on; absent for a selection. */
  alike?: QueueItem | undefined
  /** Of a wave: what was left out of it. The authors of the rest may be banned or muted too. */
  except?: Subject[]
  /** Keys pressed while the dialog was loading. */
  typed: string[]
}

/** What the page's keys do with the bulks that are shown. */
export interface BulkHandle {
  /** Undoes the latest bulk if it was the last act. Returns whether it was. */
  undoLatest: () => boolean
}

export interface BulkDeskProps extends BulkInput {
  rows: Queue['rows']
  choosing: ReturnType<typeof useSelectedItems>
  /** The bulks that are shown. */
  recent: BulkProgress[]
  /** The one that the key for undo would undo. */
  keyedId: string | undefined
  asked: Asked | undefined
  /** The item whose group is shown. */
  shownAlike: QueueItem | undefined
  /** The item whose wave is shown. */
  shownWave: QueueItem | undefined
  onDecideWave: (outcome: HeldOutcome, items: PreviewedItem[], except: PreviewedItem[]) => void
  onDecideAlike: (outcome: HeldOutcome) => void
  onSeparate: (item: QueueItem) => void
  onClose: () => void
  /** Where the toasts are, if not where this is. */
  toastsIn: HTMLElement | null
  ref: RefObject<BulkHandle | null>
}
