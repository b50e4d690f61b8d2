'use client'
import { createContext, use } from 'react'
import type { Done } from '#components/kit/acts/done.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { Cover } from '../media/use-cover.ts'
import type { Decisions } from '../use-decisions.ts'

export interface ActDialogProps {
  item: QueueItem
  /** Keys pressed while the dialog was on its way. */
  typed: string[]
  /** Words to begin with. */
  words?: string | undefined
  onClose: () => void
}

/** What is done to an item in a dialog of its own. */
export type ActName = 'reject' | 'reverse' | 'escalate' | 'handOver' | 'ban' | 'note' | 'thread'

export interface DeskActs {
  /** The item may still be on its way; nothing opens where none comes. */
  open: (act: ActName, item: QueueItem | Promise<QueueItem | undefined>, words?: string) => void
  /** Says what was done, for a while with a way to take it back. */
  done: (done: Done) => void
  /** Leads on from an item that is about to leave the list. */
  leave: (item: QueueItem) => void
  /** Makes an item of any list the current one, as a link to it would. */
  show: (itemId: string) => void
  skip: () => void
  decisions: Decisions
  input: QueueInput
  cover: Cover
}

const Context = createContext<DeskActs | undefined>(undefined)
export const DeskActsProvider = Context.Provider

/** What can be done at the desk, from wherever on it. */
export function useDeskActs(): DeskActs {
  const acts = use(Context)
  if (!acts) throw new Error('outside the desk')
  return acts
}
