'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { type Decision, goneKeys, keyOf } from './decisions.ts'
import { listOptions } from './queue-queries.ts'

/** The pending rows, without those just decided or skipped here, or being decided in a bulk. */
export function useQueue(
  input: QueueInput,
  decisions: Decision[],
  skipped: ReadonlySet<string>,
  inBulks: ReadonlySet<string>,
) {
  const list = useInfiniteQuery(listOptions(useTRPC(), input))
  const { data } = list

  const rows = useMemo(() => {
    const gone = goneKeys(decisions)
    const isHere = (item: QueueItem) => [gone, skipped, inBulks].every((keys) => !keys.has(keyOf(item)))
    return data?.pages.flatMap(({ items }) => items).filter(isHere) ?? []
  }, [data, decisions, skipped, inBulks])

  return { list, rows, narrowedTo: data?.pages[0]?.narrowedTo }
}
export type Queue = ReturnType<typeof useQueue>
