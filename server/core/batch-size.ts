/** Rows per batch of a background task: small enough not to block other work. */
export const BATCH_SIZE = 2_000
