import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '#server/trpc/root.ts'

export interface RequestError {
  /** tRPC's error code; absent without a response. */
  code?: string
  httpStatus?: number
  /** The REST API's error code (docs/interface/errors.md#codes). */
  wire?: number
  requestId?: string
  facts?: object
}

/** What the server said about an error; empty without a response. */
export function toRequestError(error: unknown): RequestError {
  if (!(error instanceof TRPCClientError)) return {}
  const { data } = error as TRPCClientError<AppRouter>
  return data ? { code: data.code, httpStatus: data.httpStatus, ...data.docket } : {}
}

const NOT_TO_BE_SEEN = ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED', 'UNPROCESSABLE_CONTENT', 'BAD_REQUEST']

/** Whether to show a not-found page: people without permission get the same. */
export function isNotToBeSeen(error: unknown): boolean {
  return NOT_TO_BE_SEEN.includes(toRequestError(error).code ?? '')
}
