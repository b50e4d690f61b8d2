import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '#server/trpc/root.ts'

/** The reasons for rejecting an item; they rarely change. */
export function reasonsOptions(trpc: TRPCOptionsProxy<AppRouter>) {
  return trpc.reasons.list.queryOptions(undefined, { staleTime: 5 * 60_000 })
}
