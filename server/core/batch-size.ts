/** Rows that one round of a background task takes: short enough that nobody waits behind it. */
export const BATCH_SIZE = 2_000
