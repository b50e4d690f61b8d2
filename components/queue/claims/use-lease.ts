'use client'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useNow } from '#components/i18n/now.tsx'
import type { HeldLease } from '#components/live/lease-book.ts'
import { useLive } from '#components/live/live-context.tsx'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { TakeLook } from '../state/use-look.ts'
import { holdLease } from './hold-lease.ts'
import { createLeftLease } from './left-lease.ts'

/** Shows colleagues that this person views the item, while it is open and visible. */
export function useHeldLease(subject: Subject | undefined, isSeen: () => boolean, take: TakeLook): void {
  const client = useTRPCClient()
  const live = useLive()
  const { subjectType, subjectId } = subject ?? {}
  const maySay = useEffectEvent(isSeen)
  const [left] = useState(() => createLeftLease((lease) => client.leases.release.mutate(lease).catch(() => {})))

  useEffect(() => {
    if (!subjectType || !subjectId) return undefined
    return holdLease({ client, live, isSeen: () => maySay(), take, left }, { subjectType, subjectId })
  }, [client, live, take, left, subjectType, subjectId])
}

/** Who is viewing this item now. */
export function useLease(subject: Subject): HeldLease | undefined {
  const { leases } = useLive()
  const now = useNow().getTime()
  useSyncExternalStore(leases.subscribe, leases.turn, () => 0)
  // The page's clock ticks more slowly than leases arrive: a lease that began since the last tick is active.
  return leases.of(subject, now)
}
