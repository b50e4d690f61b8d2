'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../state/item-id.ts'
import type { Edited } from '../state/use-edited.ts'
import type { Item } from '../state/use-item.ts'
import type { ActName, DeskActs } from './desk-acts.ts'

interface Reading {
  item: Item
  edited: Edited
  done: DeskActs['done']
}

/** Acts that don't decide on what was read: they note something, or show more of it. All others do. */
const WITHOUT_READING: ActName[] = ['handOver', 'note', 'thread', 'earlier']

/**
 * The one guard before every act on what an item says. While its text has changed since it was opened, or isn't shown whole, the first attempt
 * only says so; repeating it confirms it.
 */
export function useReadFirst({ item: { shown, read }, edited, done }: Reading) {
  const t = useTranslations('queue')
  /** The item, at its version, that this person was warned of. */
  const [warned, setWarned] = useState<string>()

  function isRead(item: QueueItem): boolean {
    // Of another item, such as one whose decision failed, the text was read before.
    if (!shown || itemIdOf(item) !== itemIdOf(shown)) return true
    if (edited.needsConfirmation) {
      edited.confirm()
      done({ words: t('edited.warning') })
      return false
    }
    const about = `${itemIdOf(shown)} ${shown.version}`
    if (shown.isCut !== true || read !== undefined || warned === about) return true
    setWarned(about)
    done({ words: t('unread.warning') })
    return false
  }

  /** Opens the dialog of an act. An item that is still loading comes back from a decision, so it was read. */
  function openRead(open: DeskActs['open']): DeskActs['open'] {
    return (act, item, words) => {
      if (WITHOUT_READING.includes(act) || item instanceof Promise || isRead(item)) open(act, item, words)
    }
  }
  return { isRead, openRead }
}
