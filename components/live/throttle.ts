/** All desks hear of a change at once: each asks for what follows from it at a moment of its own. */
const SPREAD = 0.3

/** Acts soon after it is called, and at most so often, however often it is called. */
export function throttle(ms: number, act: () => void): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let actedAt = 0
  return {
    call() {
      if (timer !== undefined) return
      const soonest = Math.max(actedAt + ms - Date.now(), 0)
      timer = setTimeout(
        () => {
          timer = undefined
          actedAt = Date.now()
          act()
        },
        soonest + Math.random() * SPREAD * ms,
      )
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
