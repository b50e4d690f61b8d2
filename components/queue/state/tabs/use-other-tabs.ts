'use client'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import { itemIdOf } from '../item-id.ts'
import { useQueueStore } from '../store/queue-store.tsx'

/** What one tab of a person publishes to their others. */
export type TabNote =
  | { type: 'decided'; itemId: string; outcome: Outcome; author: string; at: number }
  | { type: 'undone'; itemId: string; author: string; at: number }

export interface OtherTabs {
  /** The latest decision of another tab, or its undo, until it is dismissed. */
  latest: TabNote | undefined
  dismiss: () => void
  /** Publishes to the other tabs that this one undid their decision. */
  undone: (itemId: string) => void
}

/** Publishes to the person's other tabs what was decided and undone in this one, and receives it from them. */
export function useOtherTabs(userId: string): OtherTabs {
  const t = useTranslations('queue.otherTab')
  const announce = useAnnounce()
  const { getState, subscribe, dispatch } = useQueueStore()
  const [latest, setLatest] = useState<TabNote>()
  const channel = useRef<BroadcastChannel>(undefined)
  /** The authors of the decisions that others know of, by decision key. */
  const [published] = useState(() => new Map<string, Omit<TabNote, 'type'>>())

  function publish(): void {
    const { decisions } = getState()
    for (const { key, item, outcome, step, decidedAt } of decisions) {
      if (step !== 'held' || published.has(key)) continue
      const note = { itemId: itemIdOf(item), author: item.author.displayName, at: decidedAt }
      published.set(key, note)
      channel.current?.postMessage({ type: 'decided', outcome, ...note } satisfies TabNote)
    }
    for (const [key, note] of published) {
      if (decisions.some((decision) => decision.key === key)) continue
      published.delete(key)
      channel.current?.postMessage({ type: 'undone', ...note, at: Date.now() } satisfies TabNote)
    }
  }

  const receive = useEffectEvent((note: TabNote) => {
    if (note.type === 'decided') {
      setLatest(note)
      return
    }
    const own = getState().decisions.find(({ item, step }) => itemIdOf(item) === note.itemId && step === 'held')
    const author = own?.item.author.displayName ?? note.author
    if (own) {
      published.delete(own.key)
      dispatch({ type: 'forgotten', clientKey: own.clientKey })
    }
    setLatest({ ...note, author })
    announce(t('undone', { author }))
  })

  const publishLatest = useEffectEvent(publish)
  useEffect(() => {
    channel.current = new BroadcastChannel(`docket.decisions.${userId}`)
    channel.current.onmessage = ({ data }) => receive(data as TabNote)
    const stop = subscribe(() => publishLatest())
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
