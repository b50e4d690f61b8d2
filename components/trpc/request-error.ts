import { RequestFailed } from './request.ts'

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
  if (!(error instanceof RequestFailed)) return {}
  const { data } = error
  return data ? { code: data.code, httpStatus: data.httpStatus, ...data.docket } : {}
}

const HIDDEN = ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED', 'UNPROCESSABLE_CONTENT', 'BAD_REQUEST']

/** The answer; undefined for the errors of a page that shows "not found", which people without permission get too. */
export async function undefinedIfHidden<Answer>(answer: Promise<Answer>, hidden = HIDDEN): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (hidden.includes(toRequestError(error).code ?? '')) return undefined
    throw error
  }
}
