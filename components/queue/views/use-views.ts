'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'

const NONE: SavedView[] = []

/** The person's views: named queues they are a member of, their own views, shared ones, and other named queues. */
export function useViews(): SavedView[] {
  const { data } = useQuery(useTRPC().views.list.queryOptions())
  return data ?? NONE
}
