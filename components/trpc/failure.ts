import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '#server/trpc/root.ts'

export interface Failure {
  /** tRPC's word for it; absent where no answer came at all. */
  code?: string
  httpStatus?: number
  /** INTERFACE.md, Errors. */
  wire?: number
  requestId?: string
  facts?: object
}

/** What the server said about a failure; nothing where it was not reached. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return {}
  const { data } = error as TRPCClientError<AppRouter>
  return data ? { code: data.code, httpStatus: data.httpStatus, ...data.docket } : {}
}
