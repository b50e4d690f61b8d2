'use client'
import { createContext, use } from 'react'
import type { Done } from '#components/kit/acts/done.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { Cover } from '../state/use-cover.ts'
import type { Decisions } from './decisions/use-decisions.ts'

export interface ActDialogProps {
  item: QueueItem
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  /** The initial text. */
  words?: string | undefined
  onClose: () => void
}

/** Acts on an item that open a dialog. */
export type ActName =
  | 'reject'
  | 'reverse'
  | 'escalate'
  | 'handOver'
  | 'ban'
  | 'mute'
  | 'treatment'
  | 'warn'
  | 'edit'
  | 'note'
  | 'thread'
  | 'earlier'

export interface DeskActs {
  /** The item may still be loading; nothing opens if it turns out not to exist. */
  open: (act: ActName, item: QueueItem | Promise<QueueItem | undefined>, words?: string) => void
  /** Shows a toast with what was done, with an undo button for a while. */
  done: (done: Done) => void
  /** Moves the selection off items that are about to leave the list. */
  leave: (items: Subject[]) => void
  /** Selects an item of any list, as a link to it would. */
  show: (itemId: string) => void
  skip: () => void
  decisions: Decisions
  input: QueueInput
  cover: Cover
  /** Tells that the person wrote this version of the current item: deciding on it takes no second reading. */
  wrote: (version: number) => void
}

const Context = createContext<DeskActs | undefined>(undefined)
export const DeskActsProvider = Context.Provider

/** The acts available anywhere on the queue page. */
export function useDeskActs(): DeskActs {
  const acts = use(Context)
  if (!acts) throw new Error('outside the desk')
  return acts
}
