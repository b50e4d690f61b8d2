'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueFacets } from '#server/modules/review/queue/schema.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'

/** The rules and signals of held items in the community that is shown, or in all; while there are none, `empty` says why. */
export function useFacets(none: string): { facets: QueueFacets | undefined; empty: string } {
  const t = useTranslations('filters')
  const { communityId } = useQueueFilter().search
  const { data, isError } = useQuery(useTRPC().review.facets.queryOptions(communityId ? { communityId } : {}))
  if (isError) return { facets: data, empty: t('facetsUnread') }
  return { facets: data, empty: data ? none : t('facetsLoading') }
}
