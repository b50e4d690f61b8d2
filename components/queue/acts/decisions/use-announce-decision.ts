'use client'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { itemIdOf } from '../../state/item-id.ts'
import type { Item } from '../../state/use-item.ts'

/** Announces that somebody decided the open item: who, how and when. Not for an item that was decided when it was opened. */
export function useAnnounceDecision({ shown, read, decided }: Item): void {
  const t = useTranslations('queue')
  const times = useTimes()
  const announce = useAnnounce()
  const undecidedId = useRef<string>(undefined)
  const itemId = shown && itemIdOf(shown)
  const isRead = read !== undefined
  const isDecided = decided !== undefined

  const say = useEffectEvent(() => {
    if (!decided) return
    const words = { who: decided.decidedByName, time: times.brief(decided.decidedAt), b: (text: string) => text }
    announce(`${t.markup(`decidedBy.${decided.outcome}`, words)} ${t('isDecided')}`)
  })
  useEffect(() => {
    if (isDecided && undecidedId.current === itemId) say()
    undecidedId.current = isRead && !isDecided ? itemId : undefined
  }, [itemId, isRead, isDecided])
}
