import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '#server/trpc/root.ts'

export interface RequestError {
  /** tRPC's word for it; absent where no answer came at all. */
  code?: string
  httpStatus?: number
  /** The code of the REST interface (docs/interface/errors.md#codes). */
  wire?: number
  requestId?: string
  facts?: object
}

/** What the server said about a failure; nothing where it was not reached. */
export function toRequestError(error: unknown): RequestError {
  if (!(error instanceof TRPCClientError)) return {}
  const { data } = error as TRPCClientError<AppRouter>
  return data ? { code: data.code, httpStatus: data.httpStatus, ...data.docket } : {}
}

const NOT_TO_BE_SEEN = ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED', 'UNPROCESSABLE_CONTENT', 'BAD_REQUEST']

/** Whether a page is to say that there is no such thing: so it looks to who may not know of it. */
export function isNotToBeSeen(error: unknown): boolean {
  return NOT_TO_BE_SEEN.includes(toRequestError(error).code ?? '')
}
