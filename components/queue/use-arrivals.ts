'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useFallbackInterval, useLiveMessages } from '#components/live/live-context.tsx'
import { throttle } from '#components/live/throttle.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { keyOf } from './decisions.ts'
import { itemIdOf } from './item-id.ts'
import { changeOf } from './live/change-of.ts'
import { arrivalsOptions, LOOK_EVERY_MS, listOptions } from './queue-queries.ts'
import type { Queue } from './use-queue.ts'

const LOOK_AGAIN_AFTER_MS = 500

/** Items held since the list was read. They are added on request; with oldest first, they come at the end by themselves. */
export function useArrivals(input: QueueInput, { list, rows }: Queue): { count: number; show: () => Promise<unknown> } {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const refetchInterval = useFallbackInterval(LOOK_EVERY_MS)
  const first = list.data?.pages[0]
  const { data: latest } = useQuery({
    ...arrivalsOptions(trpc, input),
    enabled: input.order === 'newest' && first !== undefined,
    initialData: first,
    initialDataUpdatedAt: list.dataUpdatedAt,
    staleTime: LOOK_EVERY_MS,
    refetchInterval,
  })

  const read = list.data?.pages.flatMap(({ items }) => items) ?? []
  const known = new Set(read.map(itemIdOf))
  const isShown = new Set(rows.map(itemIdOf))
  const keys = new Set(read.map(keyOf))
  const newest = first?.items[0]?.heldAt ?? ''
  // An item that was decided here and is held again needs a new decision.
  const cameAgain = (item: QueueItem) => !isShown.has(itemIdOf(item)) && !keys.has(keyOf(item))
  const isNew = (item: QueueItem) => (!known.has(itemIdOf(item)) || cameAgain(item)) && item.heldAt >= newest
  const left = useRef(new Set<string>())
  const [returned, setReturned] = useState<string[]>([])

  const lookAgain = useEffectEvent(() => void queryClient.invalidateQueries(arrivalsOptions(trpc, input)))
  const [look] = useState(() => throttle(LOOK_AGAIN_AFTER_MS, () => lookAgain()))
  useEffect(() => look.cancel, [look])

  useLiveMessages((message) => {
    if (message.kind !== 'event' || (input.communityId && message.communityId !== input.communityId)) return
    const itemId = `${message.subjectType}:${message.subjectId}`
    const change = changeOf(message.name, input.view)
    if (change !== 'left') look.call()
    else if (known.has(itemId)) left.current.add(itemId)
    // It may come back below the newest items, where new ones aren't looked for.
    if (change === 'came' && left.current.delete(itemId)) setReturned((before) => [...before, itemId])
  })

  const arrived = input.order === 'newest' && first ? (latest?.items.filter(isNew).map(itemIdOf) ?? []) : []
  const back = returned.filter((itemId) => !known.has(itemId))

  return {
    count: new Set([...arrived, ...back]).size,
    show: () => queryClient.fetchInfiniteQuery({ ...listOptions(trpc, input), staleTime: 0 }),
  }
}
