'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SearchList } from '#components/ui/search-list.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'

/** Safe: no community has an empty id. */
const ALL = ''

/** Selects one of the person's communities, shown with its number of held items. */
export function CommunityEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const format = useFormatter()
  const { search } = useQueueFilter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const choices = (counts?.communities ?? []).map(({ communityId, displayName, held }) => ({
    id: communityId,
    label: displayName,
    hint: format.number(held),
  }))
  return (
    <SearchList
      label={t('titles.communityId')}
      find={t('findCommunity')}
      empty={t('noSuchCommunity')}
      choices={[{ id: ALL, label: t('allCommunities'), hint: counts && format.number(counts.total) }, ...choices]}
      chosen={search.communityId ?? ALL}
      onChoose={(id) => onChoose({ communityId: id || null })}
    />
  )
}
