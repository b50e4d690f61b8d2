import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { createTRPCClient } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { cache, type ReactNode } from 'react'
import type { AppRouter } from '#server/trpc/root.ts'
import { deskLink } from './link.ts'
import { makeQueryClient } from './query-client.ts'

/** One per request: `Hydrate` passes to the browser what a page prefetches here. */
export const getQueryClient = cache(() => makeQueryClient())

export const trpc = createTRPCOptionsProxy<AppRouter>({
  client: createTRPCClient<AppRouter>({ links: [deskLink()] }),
  queryClient: getQueryClient,
})

export function Hydrate({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
}
