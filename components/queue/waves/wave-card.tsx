'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

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
  const shortcut = useShortcut('wave')
  const wave = useWave(item)
  if (!wave) return null
  const { count, isMore, isCut, accounts, communities, firstHeldAt, lastHeldAt } = wave
  return (
    <section
      aria-label={t('label')}
      className="flex items-center gap-2 border-t border-line px-4 py-1 text-small phone:px-3"
    >
      <p className="min-w-0 flex-1 text-ink-2">
        {t.rich('line', {
          b: (text: ReactNode) => <b className="font-bold text-ink">{text}</b>,
          count,
          isMore: String(isMore),
          isCut: String(isCut),
          accounts,
          communities,
          span: span(Math.max(MINUTE_MS, Date.parse(lastHeldAt) - Date.parse(firstHeldAt))),
        })}
      </p>
      <Button look="bare" size="small" className="px-1.5!" aria-keyshortcuts={shortcut} onPress={onOpen}>
        {t('open')}
        <ActKeycap act="wave" className="phone:hidden" />
      </Button>
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
