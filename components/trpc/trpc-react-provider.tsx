'use client'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient } from '@trpc/client'
import { type ReactNode, useState } from 'react'
import type { AppRouter } from '#server/trpc/root.ts'
import { deskLink } from './link.ts'
import { makeQueryClient } from './query-client.ts'
import { TRPCProvider } from './trpc-context.ts'

export function TRPCReactProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient()
  const [client] = useState(() => createTRPCClient<AppRouter>({ links: [deskLink()] }))

  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}

let inBrowser: QueryClient | undefined

/** One for the whole visit in the browser, one per request on the server. */
function getQueryClient(): QueryClient {
  if (typeof window === 'undefined') return makeQueryClient()
  inBrowser ??= makeQueryClient({ onSignedOut: goToSignIn })
  return inBrowser
}

function goToSignIn(): void {
  const then = `${location.pathname}${location.search}`
  location.assign(`/sign-in?${new URLSearchParams({ ended: '1', then })}`)
}
