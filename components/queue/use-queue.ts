'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { type Decision, goneKeys, keyOf } from './decisions.ts'
import { listOptions } from './queue-queries.ts'
import type { QueueInput } from './queue-search.ts'

/** The rows that wait, without those that were just decided here. */
export function useQueue(input: QueueInput, decisions: Decision[]) {
  const list = useInfiniteQuery(listOptions(useTRPC(), input))
  const { data } = list

  const rows = useMemo(() => {
    const gone = goneKeys(decisions)
    return data?.pages.flatMap(({ items }) => items).filter((item) => !gone.has(keyOf(item))) ?? []
  }, [data, decisions])

  return { list, rows, narrowedTo: data?.pages[0]?.narrowedTo }
}
export type Queue = ReturnType<typeof useQueue>
