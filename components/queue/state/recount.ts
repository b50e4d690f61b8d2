/** Own decisions change the counts on this page at once, so that reading them from the server can wait for another request. */
const RECOUNT_AFTER_MS = 8_000

/** Whether the counts have to be read again, and when that happens by itself. */
export interface Recount {
  /** An own decision was answered: the counts are read with the next request, or by themselves a few seconds after the last decision. */
  ask: (read: () => void) => void
  isDue: () => boolean
  /** The counts were read. */
  done: () => void
  /** A count on this page was changed: a response requested before that doesn't include it. */
  changed: () => void
  /** A value that differs after each change. */
  turn: () => number
}

export function createRecount(): Recount {
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = 0
  function done(): void {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    ask(read) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        read()
      }, RECOUNT_AFTER_MS)
    },
    isDue: () => timer !== undefined,
    done,
    changed() {
      turn += 1
    },
    turn: () => turn,
  }
}
