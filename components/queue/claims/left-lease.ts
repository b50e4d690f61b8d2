import type { HeldLease } from '#server/modules/review/leases/schema.ts'

/** Long enough for the next item to be looked at, whose request then ends this lease. */
const RELEASED_WITHIN_MS = 1_500

/** The lease on the item that was left last: it ends with the request for the next one, or by itself a moment later. */
export interface LeftLease {
  put: (lease: HeldLease) => void
  /** Returns it to a caller that ends it. */
  claim: () => HeldLease | undefined
}

export function createLeftLease(release: (lease: HeldLease) => void): LeftLease {
  let left: HeldLease | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function claim(): HeldLease | undefined {
    clearTimeout(timer)
    const claimed = left
    left = undefined
    return claimed
  }
  function end(): void {
    const lease = claim()
    if (lease) release(lease)
  }
  return {
    put(lease) {
      end()
      left = lease
      timer = setTimeout(end, RELEASED_WITHIN_MS)
    },
    claim,
  }
}
