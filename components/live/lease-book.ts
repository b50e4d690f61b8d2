import type { LiveMessage } from '#server/modules/live/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { Lease, LeaseNotice } from '#server/modules/review/leases/schema.ts'

/** A lease by this browser's clock. */
export interface HeldLease extends Lease {
  until: number
}

/** Who is viewing what, as far as this page has received it. */
export interface LeaseBook {
  receive(message: LiveMessage): void
  /** The active lease on this item. */
  of(subject: Subject, now: number): HeldLease | undefined
  /** All active leases, for a tab that opens later. */
  list(now: number): Lease[]
  subscribe(listener: () => void): () => void
  /** A value that differs after each change. */
  turn(): number
}

export function createLeaseBook(): LeaseBook {
  const held = new Map<string, HeldLease>()
  const listeners = new Set<() => void>()
  let turn = 0

  function set(notice: LeaseNotice): void {
    const { holder, ...lease } = notice
    if (holder) held.set(nameOf(lease), { ...lease, holder, until: Date.now() + lease.forMs })
    else held.delete(nameOf(lease))
  }

  return {
    receive(message) {
      if (message.kind !== 'lease' && message.kind !== 'ready') return
      if (message.kind === 'lease') set(message.lease)
      else {
        held.clear()
        message.leases.forEach(set)
      }
      turn += 1
      for (const listener of listeners) listener()
    },
    of(subject, now) {
      const lease = held.get(nameOf(subject))
      return lease && lease.until > now ? lease : undefined
    },
    list: (now) => [...held.values()].map(({ until, ...lease }) => ({ ...lease, forMs: until - now })),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    turn: () => turn,
  }
}

const nameOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`
