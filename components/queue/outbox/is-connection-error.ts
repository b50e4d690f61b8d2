import { toRequestError } from '#components/trpc/request-error.ts'

/** Without an answer, told to come later, or signed out: another try may mend it. */
const LATER = new Set([401, 429, 502, 503, 504])

/** Whether a call failed because it was not taken rather than refused: it may even have been carried out. */
export function isConnectionError(error: unknown): boolean {
  const { httpStatus } = toRequestError(error)
  return httpStatus === undefined || LATER.has(httpStatus)
}
