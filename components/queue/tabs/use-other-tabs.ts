'use client'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { Outcome } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../item-id.ts'
import { useQueueStore } from '../store/queue-store.tsx'

/** What one tab of a person tells their others. */
export type TabNote =
  | { type: 'decided'; itemId: string; outcome: Outcome; author: string; at: number }
  | { type: 'undone'; itemId: string; author: string; at: number }

export interface OtherTabs {
  /** The latest decision of another tab, or its undo, until it is dismissed. */
  latest: TabNote | undefined
  dismiss: () => void
  /** Tells the other tabs that this one undid a decision of theirs. */
  undone: (itemId: string) => void
}

/** Tells the person's other tabs what was decided and undone in this one, and hears it from them. */
export function useOtherTabs(userId: string): OtherTabs {
  const t = useTranslations('queue.otherTab')
  const announce = useAnnounce()
  const { getState, subscribe, dispatch } = useQueueStore()
  const [latest, setLatest] = useState<TabNote>()
  const channel = useRef<BroadcastChannel>(undefined)
  /** The authors of the decisions that others know of, by decision key. */
  const [told] = useState(() => new Map<string, Omit<TabNote, 'type'>>())

  function tell(): void {
    const { decisions } = getState()
    for (const { key, item, outcome, step, decidedAt } of decisions) {
      if (step !== 'held' || told.has(key)) continue
      const note = { itemId: itemIdOf(item), author: item.author.displayName, at: decidedAt }
      told.set(key, note)
      channel.current?.postMessage({ type: 'decided', outcome, ...note } satisfies TabNote)
    }
    for (const [key, note] of told) {
      if (decisions.some((decision) => decision.key === key)) continue
      told.delete(key)
      channel.current?.postMessage({ type: 'undone', ...note, at: Date.now() } satisfies TabNote)
    }
  }

  const hear = useEffectEvent((note: TabNote) => {
    if (note.type === 'decided') {
      setLatest(note)
      return
    }
    const own = getState().decisions.find(({ item, step }) => itemIdOf(item) === note.itemId && step === 'held')
    const author = own?.item.author.displayName ?? note.author
    if (own) {
      told.delete(own.key)
      dispatch({ type: 'forgotten', key: own.key })
    }
    setLatest({ ...note, author })
    announce(t('undone', { author }))
  })

  const tellLatest = useEffectEvent(tell)
  useEffect(() => {
    channel.current = new BroadcastChannel(`docket.decisions.${userId}`)
    channel.current.onmessage = ({ data }) => hear(data as TabNote)
    const stop = subscribe(() => tellLatest())
    return () => {
      stop()
      channel.current?.close()
    }
  }, [userId, subscribe])

  return {
    latest,
    dismiss: () => setLatest(undefined),
    undone(itemId) {
      const author = latest?.itemId === itemId ? latest.author : ''
      setLatest(undefined)
      channel.current?.postMessage({ type: 'undone', itemId, author, at: Date.now() } satisfies TabNote)
    },
  }
}
