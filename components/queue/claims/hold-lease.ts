import type { TRPCClient } from '@trpc/client'
import type { Live } from '#components/live/live.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { HeldLease as Lease, Taken } from '#server/modules/review/leases/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import type { LeftLease } from './left-lease.ts'

/** Moving past an item quickly doesn't count as viewing it. */
const LOOKS_AFTER_MS = 500
const RENEW_AFTER_MS = 60_000
const USES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'] as const

interface HeldLease {
  client: TRPCClient<AppRouter>
  live: Live
  isSeen: () => boolean
  /** Takes the lease, and ends the one on the item that was left. */
  take: (subject: Subject, instead: Lease | undefined) => Promise<Taken>
  left: LeftLease
}

/**
 * Shows colleagues that this person views the item, for as long as they are active: activity renews the lease, not time. If a colleague
 * holds the lease, retries once they leave. Returns a function that ends it.
 */
export function holdLease({ client, live, isSeen, take, left }: HeldLease, subject: Subject): () => void {
  let token: string | undefined
  let askedAt = Number.POSITIVE_INFINITY
  let isOver = false

  async function look(): Promise<void> {
    askedAt = Date.now()
    if (!isSeen()) return
    try {
      if (token !== undefined) await client.leases.renew.mutate({ ...subject, token })
      else {
        const taken = await take(subject, left.claim())
        token = taken.isMine ? taken.token : undefined
        if (isOver) release()
      }
    } catch {
      // Not awaited: if releasing fails, the next activity acquires it again.
      token = undefined
    }
  }

  function release(): void {
    if (token !== undefined) left.put({ ...subject, token })
    token = undefined
  }

  function onUse(): void {
    if (Date.now() - askedAt > RENEW_AFTER_MS) void look()
  }

  const timer = setTimeout(look, LOOKS_AFTER_MS)
  for (const use of USES) window.addEventListener(use, onUse, { passive: true, capture: true })
  const forget = live.onMessage((message) => {
    if (message.kind !== 'lease' || message.lease.holder || token !== undefined) return
    if (message.lease.subjectId === subject.subjectId && message.lease.subjectType === subject.subjectType) void look()
  })

  return () => {
    isOver = true
    clearTimeout(timer)
    forget()
    for (const use of USES) window.removeEventListener(use, onUse, { capture: true })
    release()
  }
}
