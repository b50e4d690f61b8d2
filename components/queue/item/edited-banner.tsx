'use client'
import { useTranslations } from 'use-intl'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Banner } from '#components/ui/banner.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { EarlierLine } from '../acts/earlier/earlier-line.tsx'
import type { Edited } from '../state/use-edited.ts'

/** That the author, or a reviewer, changed the text while it was open, and what it said before. */
export function EditedBanner({ before, by }: { before: NonNullable<Edited['before']>; by: string | undefined }) {
  const t = useTranslations('queue.edited')
  return (
    <EarlierBanner
      line={by === undefined ? t('line') : t('lineBy', { by })}
      said={before}
      isFlagged={before.flagCount > 0}
    />
  )
}

/** What the author has done to a text since: that they deleted it, or edited it, and what it said when it was reported, or before. */
export function EvidenceBanner({ item, read }: { item: QueueItem; read: ReviewItem | undefined }) {
  const t = useTranslations('reported.evidence')
  const said = read?.asReported
  return (
    <>
      {read && read.earlier > 0 && <EarlierLine item={item} count={read.earlier} by={read.editedBy} />}
      {item.isWithdrawn && (
        <Banner kind="warn">
          <b>{t('withdrawn')}</b> {t('dismiss')}
        </Banner>
      )}
      {said && <EarlierBanner line={t('edited')} said={said} isFlagged={item.flagCount > 0} isWhole />}
    </>
  )
}

interface EarlierBannerProps {
  line: string
  said: { title?: string | undefined; text: string }
  isFlagged: boolean
  /** Whether the text is what is judged, and not only a reminder of it. */
  isWhole?: boolean
}

function EarlierBanner({ line, said: { title, text }, isFlagged, isWhole = false }: EarlierBannerProps) {
  return (
    <Banner kind="warn">
      <b>{line}</b>
      <span
        dir="auto"
        className={`mt-0.5 font-member ${isWhole ? 'line-clamp-[12] text-ink' : 'line-clamp-3 text-ink-2'}`}
      >
        <del className={isWhole ? 'no-underline' : 'decoration-ink-3'}>
          <CoveredLine isFlagged={isFlagged}>{[title, text].filter(Boolean).join(' · ')}</CoveredLine>
        </del>
      </span>
    </Banner>
  )
}
