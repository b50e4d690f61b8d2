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
    `Makes it safe to send this request again: within ${KEPT_HOURS} hours the same key, from the same credential and with the same request, gets the first answer again, with \`Idempotency-Replayed: true\`. With another request it is 422; while the first is still being processed, 409. Answers 401, 429 and 5xx are not kept.`,
  )
