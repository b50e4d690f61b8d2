'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** A wave is only looked up for an item that stays open, so that a quick decision costs no request more. */
const OPEN_FOR_MS = 1_000
/** Shorter texts are rarely found. */
const LEAST_LENGTH = 40

const WaveLine = lazyPart(() => import('./wave-line.tsx').then(({ WaveLine }) => WaveLine), { isPlain: true })

/**
 * For an item among near-duplicates: how many there are, of how many accounts, where, and within which time. Above the bar of decisions, so that
 * neither the text nor a button moves when it appears.
 */
export function WaveCard({ item, onOpen }: { item: QueueItem; onOpen: () => void }) {
  const wave = useWave(item)
  return wave ? <WaveLine wave={wave} onOpen={onOpen} /> : null
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
