import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { cache, type ReactNode } from 'react'
import { makeQueryClient } from './query-client.ts'

/** One per request: `Hydrate` passes to the browser what a page prefetches here. */
export const getQueryClient = cache(() => makeQueryClient())

export function Hydrate({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
}
