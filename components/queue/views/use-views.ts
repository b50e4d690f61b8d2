'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'

const NONE: SavedView[] = []

/** The views one has: one's own, then those that are shared. */
export function useViews(): SavedView[] {
  const { data } = useQuery(useTRPC().views.list.queryOptions())
  return data ?? NONE
}
