'use client'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { Quote } from '#components/kit/review/quote.tsx'
import { By, TrailStep } from '#components/kit/review/trail.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { RecentContent as Content } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** What a reported person wrote lately, below the report. */
export function RecentContent({ author, contents }: { author: QueueItem['author']; contents: Content[] }) {
  const t = useTranslations('reported.recent')
  const times = useTimes()
  return (
    <>
      <TrailStep>
        <By>
          <b>{t('title')}</b>
          <span>{t('count', { count: contents.length })}</span>
          <Link href={toUserPath(author.userId)} prefetch={false}>
            {t('all')}
          </Link>
        </By>
      </TrailStep>
      {contents.map((content) => (
        <TrailStep key={`${content.subjectType}:${content.id}`}>
          <By>
            <span className="font-firm text-ink-2">
              {t(`in.${content.subjectType}`, { space: content.spaceName ?? t('profile') })}
            </span>
            <time dateTime={content.writtenAt}>{times.exact(content.writtenAt)}</time>
            {content.approvalStatus === 'pending' && <span>{t('held')}</span>}
            {content.approvalStatus === 'rejected' && <OutcomeWord outcome="rejected" />}
          </By>
          <Quote quoted={content} />
        </TrailStep>
      ))}
    </>
  )
}
