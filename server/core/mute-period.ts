import { z } from 'zod'

/** A mute without an end is stored as one of a hundred years: no client reads a time much further ahead. */
export const LONGEST_MUTE_MS = 100 * 365 * 24 * 3_600_000

/** How long a mute lasts, in milliseconds; 0 ends it, and -1, which clients send without a time, has no end. */
export const MutePeriod = z
  .int()
  .min(-1)
  .max(LONGEST_MUTE_MS)
  .transform((period) => (period === -1 ? LONGEST_MUTE_MS : period))
