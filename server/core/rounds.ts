/** Rows that one round of a background task takes: short enough that nobody waits behind it. */
export const ROWS_A_ROUND = 2_000
