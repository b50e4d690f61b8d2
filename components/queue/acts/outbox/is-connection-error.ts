import { toRequestError } from '#components/trpc/request-error.ts'

/** No response, rate limited, unavailable, or signed out: a retry may succeed. */
const LATER = new Set([401, 429, 502, 503, 504])

/** Whether a call failed in transit rather than being rejected; the server may still have carried it out. */
export function isConnectionError(error: unknown): boolean {
  const { httpStatus } = toRequestError(error)
  return httpStatus === undefined || LATER.has(httpStatus)
}
