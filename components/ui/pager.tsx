'use client'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import type { PagerTurns } from './pager-props.ts'

interface PagerProps extends PagerTurns {
  /** The visible range: "1–20 of 15,730". */
  shown?: string | undefined
}

/** Previous and next buttons; a direction without a page is disabled. */
export function Pager({ shown, onPrevious, onNext }: PagerProps) {
  const t = useTranslations('ui')
  return (
    <div className="ms-auto flex items-center gap-1 whitespace-nowrap text-ink-3">
      {shown && <span className="text-small tabular-nums">{shown}</span>}
      <Button look="icon" aria-label={t('previousPage')} isDisabled={!onPrevious} onPress={() => onPrevious?.()}>
        <ChevronLeft className="rtl:-scale-x-100" />
      </Button>
      <Button look="icon" aria-label={t('nextPage')} isDisabled={!onNext} onPress={() => onNext?.()}>
        <ChevronRight className="rtl:-scale-x-100" />
      </Button>
    </div>
  )
}
