'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { By, Trail, TrailStep } from '#components/kit/review/trail.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine, CoveredText } from '#components/kit/wellness/covered-text.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { PlainText } from '#components/ui/plain-text.tsx'
import { Sheet } from '#components/ui/sheet.tsx'
import { itemInput } from '../../state/queue-queries.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { ActDialogProps } from '../desk-acts.ts'

/** What the item said before its author changed it, latest first. */
export function EarlierSheet({ item, onClose }: ActDialogProps) {
  const t = useTranslations('queue.earlier')
  const { view } = useQueueFilter().search
  const earlier = useQuery(useTRPC().review.earlier.queryOptions(itemInput(item, view), { staleTime: 0 }))

  return (
    <Sheet title={t('title')} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className="min-h-40 px-3.5 pt-2 pb-3.5">
        <QueryState query={earlier} />
        {earlier.data?.length === 0 && <p>{t('none')}</p>}
        <Trail>
          {earlier.data?.map(({ title, text, until }) => (
            <TrailStep key={until}>
              <Until at={until} />
              {title && (
                <p dir="auto" className="mt-[3px] font-bold wrap-anywhere text-ink">
                  <CoveredLine isFlagged={item.flagCount > 0}>{title}</CoveredLine>
                </p>
              )}
              <blockquote
                dir="auto"
                className="mt-[3px] max-w-[60ch] font-member text-large wrap-anywhere whitespace-pre-wrap text-ink-2"
              >
                <CoveredText isFlagged={item.flagCount > 0}>
                  <PlainText>{text}</PlainText>
                </CoveredText>
              </blockquote>
            </TrailStep>
          ))}
        </Trail>
      </div>
    </Sheet>
  )
}

function Until({ at }: { at: string }) {
  const t = useTranslations('queue.earlier')
  return (
    <By>
      <time dateTime={at}>{t('until', { time: useTimes().exact(at) })}</time>
    </By>
  )
}
