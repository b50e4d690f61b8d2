'use client'
import { useQuery } from '@tanstack/react-query'
import { Hand } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Claim } from '#server/modules/review/decisions/schema.ts'

/** On a row and over the item: who has claimed it. */
export function ClaimSign({ claim }: { claim: Claim }) {
  const t = useTranslations('claims')
  const times = useTimes()
  const { data: me } = useQuery(useTRPC().access.me.queryOptions())
  const isMine = claim.by.userId === me?.userId
  const until = times.timeAndDay(claim.until)
  const { displayName: who } = claim.by
  return (
    <span
      title={isMine ? t('mineUntil', { time: until }) : t('until', { who, time: until })}
      className={`inline-flex h-[1.125rem] max-w-28 min-w-11 items-center gap-1 rounded-1 px-1 text-small whitespace-nowrap tablet:max-w-20 forced-colors:border [&_.lucide]:mt-0! [&_.lucide]:size-3 [&_.lucide]:shrink-0 ${isMine ? 'shrink-0 bg-selected font-firm text-ink' : 'bg-info-tint text-info'}`}
    >
      <Hand aria-hidden />
      <span className="sr-only">{t('by')} </span>
      <bdi className="truncate">{isMine ? t('you') : who}</bdi>
    </span>
  )
}
