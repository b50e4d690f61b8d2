/** How long a decision can be undone, in ms, counted from the key press: the server counts from arrival, so it never allows less. */
export const UNDO_WINDOW_MS = 10_000
export const UNDO_WINDOW_SECONDS = UNDO_WINDOW_MS / 1_000
