import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { toRequestError } from './request-error.ts'

/** Prefetched data isn't requested again on load. */
const FRESH_FOR_MS = 30_000

export function makeQueryClient({ onSignedOut }: { onSignedOut?: () => void } = {}): QueryClient {
  const onError = (error: unknown) => {
    if (toRequestError(error).code === 'UNAUTHORIZED') onSignedOut?.()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) => !meta?.isPublic && onError(error),
    }),
    defaultOptions: {
      queries: { staleTime: FRESH_FOR_MS, retry: mayRetry, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

const TOO_MANY_CALLS = 429

/** Retries only what a retry can fix: network errors, server errors and rate limits; twice, and only in the browser. */
function mayRetry(failures: number, error: unknown): boolean {
  if (typeof window === 'undefined' || failures >= 2) return false
  const { httpStatus } = toRequestError(error)
  return httpStatus === undefined || httpStatus === TOO_MANY_CALLS || httpStatus >= 500
}
