'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { SettingsSection } from '../settings-page.tsx'
import { RecordedItemRow } from './recorded-item-row.tsx'

/** What the rules of a space rejected, whichever of them; not shown while there is nothing. */
export function RejectedSection({ communityId }: { communityId: string | null }) {
  const t = useTranslations('rules.rejected')
  const read = useInfiniteQuery(
    useTRPC().rules.rejected.infiniteQueryOptions({ communityId }, { getNextPageParam: ({ next }) => next }),
  )
  const items = read.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0 && !read.isError) return null
  return (
    <SettingsSection id="rejected" title={t('title')}>
      <p className="max-w-[68ch]">{t('lead')}</p>
      <QueryState query={read} />
      <ul aria-label={t('title')} className="mt-2 border-t border-line">
        {items.map((item) => (
          <RecordedItemRow
            key={`${item.ruleId} ${item.subjectType} ${item.subjectId}`}
            item={item}
            act="reject"
            isOfSeveral
          />
        ))}
      </ul>
      {read.hasNextPage && (
        <Button className="mt-2" isPending={read.isFetchingNextPage} onPress={() => void read.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </SettingsSection>
  )
}
