'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { FilterProps } from './filter-bar.tsx'
import { useDayRange } from './use-day-range.ts'
import { useQueueFilter } from './use-queue-filter.ts'

const words = { b: (text: ReactNode) => <strong className="font-bold text-ink">{text}</strong> }

/** The filters as one line to read. */
export function FilterProse({ totals, narrowedTo }: FilterProps) {
  const t = useTranslations('queue.sentence')
  const { search, zone } = useQueueFilter()
  const range = useDayRange(search)
  const community = search.communityId && (narrowedTo?.community?.displayName ?? search.communityId)
  const post = search.postId && (narrowedTo?.post?.title ?? search.postId)
  const key = totals?.isLowerBound ? 'atLeast' : 'some'
  const isNarrowed = totals !== undefined && totals.matching !== totals.held

  return (
    <p className="min-w-0 flex-1 leading-[18px] wrap-anywhere">
      {totals
        ? t.rich(isNarrowed ? key : 'all', { ...words, matching: totals.matching, held: totals.held })
        : t('unknown')}{' '}
      {words.b(<bdi>{community ?? t('allMine')}</bdi>)}
      {post && (
        <>
          {' '}
          {t('on')} {words.b(<bdi>{post}</bdi>)}
        </>
      )}
      {range && (
        <>
          {' '}
          {t(range.words)} {words.b(range.days)} {t('inZone')} {words.b(zone)}
        </>
      )}
    </p>
  )
}
