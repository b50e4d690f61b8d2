'use client'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { Banner } from '#components/ui/banner.tsx'
import type { Waiting } from '#server/modules/review/insights/schema.ts'
import type { Lists } from './use-lists.ts'

/** Communities that no longer hold new items, with items that are still waiting. */
export function BacklogBanner({ waiting, lists }: { waiting: Waiting; lists: Lists }) {
  const t = useTranslations('insights')
  const left = waiting.communities.filter(({ isHolding, waiting }) => !isHolding && waiting > 0)
  const [first] = left
  if (!first) return null
  const count = left.reduce((sum, { waiting }) => sum + waiting, 0)
  const href = lists.queue(left.length === 1 ? { communityId: first.communityId } : {})
  return (
    <div className="mb-5">
      <Banner kind="warn" acts={href !== undefined && <Link href={href}>{t('reviewBacklog')}</Link>}>
        {t.rich('backlogNews', {
          b: (text) => <b>{text}</b>,
          spaces: left.length,
          name: first.displayName,
          count,
        })}
      </Banner>
    </div>
  )
}
