'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type AuditSearch, toAuditPath } from '#components/kit/addresses/audit-search.ts'
import { type QueueSearch, toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { InsightsInput } from '#server/modules/review/insights/schema.ts'

/** Links to the lists behind the figures; undefined for a list the person may not open. */
export function useLists({ communityId: asked, startDate, endDate, timeZone }: InsightsInput) {
  const communityId = asked ?? null
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  return {
    audit: (search: Partial<AuditSearch>) =>
      me.opens.includes('audit') ? toAuditPath({ communityId, startDate, endDate, timeZone, ...search }) : undefined,
    queue: (search: Partial<QueueSearch>) => (me.reviews ? toQueuePath({ communityId, ...search }) : undefined),
  }
}
export type Lists = ReturnType<typeof useLists>
