'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useNow } from '#components/i18n/now.tsx'
import { isNarrowed, toDeskFilter } from '#components/kit/addresses/queue-search.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { HeldLease, Taken } from '#server/modules/review/leases/schema.ts'
import type { Look } from '#server/modules/review/look/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemInput, itemOptions, READ_AHEAD } from './queue-queries.ts'
import { startOfToday } from './start-of-today.ts'
import { useQueueStore } from './store/queue-store.tsx'
import { useQueueFilter } from './use-queue-filter.ts'
import { useMissingAhead } from './use-read-ahead.ts'

/** Looks at an item: takes its lease, and in the same request reads the next items, and the counts after a decision. */
export type TakeLook = (subject: Subject, instead: HeldLease | undefined) => Promise<Taken>

export function useLook(rows: QueueItem[], index: number): TakeLook {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const { recount } = useQueueStore()
  const { search, zone } = useQueueFilter()
  const { ownZone } = useZone()
  const since = startOfToday(useNow(), ownZone)
  const missingAhead = useMissingAhead(rows, index, search.view)
  const filter = isNarrowed(search) ? toDeskFilter(search, zone) : undefined

  return useStableCallback(async (subject: Subject, instead: HeldLease | undefined) => {
    const ahead = missingAhead(READ_AHEAD + 1)
    const isSending = queryClient.isMutating({ mutationKey: trpc.review.pathKey() }) > 0
    const isCounted = recount.isDue() && !isSending
    if (!instead && !isCounted && ahead.length === 0) return client.leases.take.mutate(subject)
    const turn = recount.turn()
    const look = await client.review.look.mutate({
      subject,
      instead,
      ahead: ahead.map((item) => itemInput(item, search.view)),
      ...(isCounted && { counts: { since, filter } }),
    })

    for (const [position, read] of look.ahead.entries()) {
      const item = ahead[position]
      if (item && read) queryClient.setQueryData(itemOptions(trpc, item, search.view).queryKey, read)
    }
    if (look.counts && turn === recount.turn()) keepCounts(look.counts)
    return look.lease
  })

  function keepCounts({ all, ownDay, matching }: NonNullable<Look['counts']>): void {
    recount.done()
    queryClient.setQueryData(trpc.review.counts.queryKey(), all)
    queryClient.setQueryData(trpc.review.ownDay.queryKey({ since }), ownDay)
    if (filter && matching) queryClient.setQueryData(trpc.review.matching.queryKey(filter), matching)
  }
}
