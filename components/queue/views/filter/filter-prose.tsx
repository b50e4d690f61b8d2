'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import { useOpenView } from '../use-open-view.ts'
import type { SentenceProps } from './filter-sentence.tsx'
import { HowMany } from './how-many.tsx'

const bold = (text: ReactNode) => <strong className="font-bold text-ink">{text}</strong>

/** The filters as one line of text. */
export function FilterProse({ totals, parts, community }: Pick<SentenceProps, 'totals' | 'parts' | 'community'>) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  const open = useOpenView()
  return (
    <p className="min-w-0 flex-1 leading-[18px] wrap-anywhere">
      {open && (
        <>
          {open.lead} {bold(<bdi>{open.view.name}</bdi>)}:{' '}
        </>
      )}
      <HowMany totals={totals} />{' '}
      {bold(<bdi>{community ?? t(search.view === 'reported' ? 'everywhere' : 'allMine')}</bdi>)}
      {parts.map(({ id, lead, value }) => (
        <span key={id}>
          {' '}
          {lead} {bold(<bdi>{value}</bdi>)}
        </span>
      ))}
    </p>
  )
}
