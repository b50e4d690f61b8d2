import { z } from 'zod'

/** How long the response to a key is stored. */
export const KEPT_HOURS = 24

/** docs/interface/conventions.md: 1 to 255 characters that every client and proxy passes on unchanged. */
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
  .describe(
    `Makes this request safe to retry: for ${KEPT_HOURS} hours, the same key from the same credential with the same request returns the first response again, with \`Idempotency-Replayed: true\`. The same key with another request is 422; while the first request is still being processed, 409. Responses 401, 429 and 5xx are not stored.`,
  )
