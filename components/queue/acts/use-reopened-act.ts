'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { useReopened } from '#components/kit/acts/use-reopened.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../state/item-id.ts'
import type { Selection } from '../state/use-selection.ts'
import { ACT_DIALOGS } from './act-dialogs.ts'
import type { ActName, DeskActs } from './desk-acts.ts'

interface Reopening {
  open: DeskActs['open']
  selection: Selection
  /** The current item, once it is loaded. */
  shown: QueueItem | undefined
}

/** Opens the dialog again that was open on an item when the session ended, with that item. */
export function useReopenedAct(
  opened: { act: ActName; item: QueueItem } | undefined,
  { open, selection, shown }: Reopening,
): void {
  const [kept, setKept] = useState<string>()
  useReopened(opened && nameOf(opened.act, opened.item), (name) => {
    setKept(name)
    selection.moveTo(name.slice(name.indexOf(' ') + 1))
  })
  const act = shown && (Object.keys(ACT_DIALOGS) as ActName[]).find((name) => kept === nameOf(name, shown))
  const reopen = useEffectEvent(() => {
    if (!act || !shown) return
    setKept(undefined)
    open(act, shown)
  })
  useEffect(() => {
    if (act) reopen()
  }, [act])
}

const nameOf = (act: ActName, item: QueueItem) => `${act} ${itemIdOf(item)}`
