'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { Totals } from '../use-totals.ts'

const words = { b: (text: ReactNode) => <strong className="font-bold text-ink">{text}</strong> }

/** "80 of 5,601 held in": the start of the sentence. */
export function HowMany({ totals }: { totals: Totals | undefined }) {
  const t = useTranslations('filters.howMany')
  const { view } = useQueueFilter().search
  if (!totals) return t(`unknown.${view}`)

  const { matching, held, isLowerBound } = totals
  if (matching === undefined) return t.rich(`counting.${view}`, { ...words, held })
  const exact = matching === held ? 'all' : 'some'
  return t.rich(`${isLowerBound ? 'atLeast' : exact}.${view}`, { ...words, matching, held })
}
