/** How long a decision can be taken back, counted from the key: the server counts from when it arrived, so never less. */
export const UNDO_WINDOW_MS = 10_000
