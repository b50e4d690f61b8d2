'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { IN_BOLD } from '#components/ui/in-bold.tsx'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { ItemLine } from '../../../kit/review/item-line.tsx'

/** A wave is only looked up for an item that stays open, so that a quick decision costs no request more. */
const OPEN_FOR_MS = 1_000
const MINUTE_MS = 60_000
/** Shorter texts are rarely found. */
const LEAST_LENGTH = 40

/**
 * For an item among near-duplicates: how many there are, of how many accounts, where, and within which time. Above the bar of decisions, so that
 * neither the text nor a button moves when it appears.
 */
export function WaveCard({ item, onOpen }: { item: QueueItem; onOpen: () => void }) {
  const t = useTranslations('wave')
  const span = useSpan()
  const wave = useWave(item)
  if (!wave) return null
  const { count, isMore, isCut, accounts, communities, firstHeldAt, lastHeldAt } = wave
  return (
    <section aria-label={t('label')}>
      <ItemLine act="wave" label={t('open')} onOpen={onOpen}>
        {t.rich('line', {
          ...IN_BOLD,
          count,
          isMore: String(isMore),
          isCut: String(isCut),
          accounts,
          communities,
          // A duration stays on one line.
          span: span(Math.max(MINUTE_MS, Date.parse(lastHeldAt) - Date.parse(firstHeldAt))).replaceAll(' ', '\u00a0'),
        })}
      </ItemLine>
    </section>
  )
}

function useWave({ subjectType, subjectId, title = '', text }: QueueItem) {
  const subject: Subject = { subjectType, subjectId }
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), OPEN_FOR_MS)
    return () => clearTimeout(timer)
  }, [])
  const isLong = title.length + text.length >= LEAST_LENGTH
  return useQuery(useTRPC().review.wave.queryOptions(subject, { enabled: isSettled && isLong, retry: false })).data
}
