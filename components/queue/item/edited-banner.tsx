'use client'
import { useTranslations } from 'use-intl'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Banner } from '#components/ui/banner.tsx'
import type { Edited } from './use-edited.ts'

/** That the author changed the text while it was open, and what it said before. */
export function EditedBanner({ before: { title, text, flagCount } }: { before: NonNullable<Edited['before']> }) {
  const t = useTranslations('queue.edited')
  return (
    <Banner kind="warn">
      <b>{t('line')}</b>
      <span dir="auto" className="mt-0.5 line-clamp-3 font-member text-ink-2">
        <del className="decoration-ink-3">
          <CoveredLine isFlagged={flagCount > 0}>{[title, text].filter(Boolean).join(' · ')}</CoveredLine>
        </del>
      </span>
    </Banner>
  )
}
