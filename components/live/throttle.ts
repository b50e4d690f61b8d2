/** All clients receive a change at once: random delays spread their follow-up requests. */
const SPREAD = 0.3

/** Runs `act` soon after a call, at most once per interval, however often it is called. */
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
