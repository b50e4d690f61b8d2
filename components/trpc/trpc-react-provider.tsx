'use client'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keepOpenDialog } from './open-dialog.ts'
import { makeQueryClient } from './query-client.ts'

export function TRPCReactProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={getQueryClient()}>{children}</QueryClientProvider>
}

let inBrowser: QueryClient | undefined

/** One for the whole visit in the browser, one per request on the server. */
function getQueryClient(): QueryClient {
  if (typeof window === 'undefined') return makeQueryClient()
  inBrowser ??= makeQueryClient({ onSignedOut: goToSignIn })
  return inBrowser
}

function goToSignIn(): void {
  keepOpenDialog()
  const then = `${location.pathname}${location.search}`
  location.assign(`/sign-in?${new URLSearchParams({ ended: '1', then })}`)
}
