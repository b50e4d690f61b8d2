import { z } from 'zod'

/** How long the answer to a key is kept. */
export const KEPT_HOURS = 24

/** docs/interface/conventions.md: 1 to 255 characters; those that every client and proxy passes on as they are. */
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
  .describe(
    `Makes it safe to send this request again: within ${KEPT_HOURS} hours the same key, from the same credential and with the same request, gets the first answer again, with \`Idempotency-Replayed: true\`. With another request it is 422; while the first is still being processed, 409. Answers 401, 429 and 5xx are not kept.`,
  )
