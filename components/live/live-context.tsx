'use client'
import { type Query, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Me } from '#server/modules/accounts/access/schema.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import { createLive, type Live, type LiveState } from './live.ts'

const LiveContext = createContext<Live | undefined>(undefined)

/** Provides the desk's live events to everything below. */
export function LiveProvider({ me, children }: { me: Me; children: ReactNode }) {
  const [live] = useState(createLive)
  const trpc = useTRPC()
  const queryClient = useQueryClient()

  const start = useEffectEvent(() =>
    live.start({
      userId: me.userId,
      position: queryClient.getQueryData(trpc.live.position.queryKey()),
      // The query's response redirects signed-out people to sign-in, and shows people without a queue that they have none.
      onEnd: () => void queryClient.invalidateQueries(trpc.access.me.queryFilter()),
    }),
  )
  useEffect(() => (me.reviews ? start() : undefined), [me.reviews])
  useEffect(
    () =>
      live.onMessage(({ kind }) => {
        if (kind === 'reset') void queryClient.invalidateQueries()
        // Refetches what failed while the connection was lost.
        if (kind === 'ready') void queryClient.refetchQueries({ type: 'active', predicate: hasFailed })
      }),
    [live, queryClient],
  )

  return <LiveContext value={live}>{children}</LiveContext>
}

const hasFailed = ({ state }: Query) => state.fetchFailureCount > 0

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('No live desk above this component.')
  return live
}

const NOT_YET: LiveState = { connection: 'connecting', since: 0 }

export function useConnection(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.subscribe, live.getState, () => NOT_YET)
}

/** Calls the handler once per message, while the component is mounted. */
export function useLiveMessages(listener: (message: LiveMessage) => void): void {
  const live = useLive()
  const onMessage = useEffectEvent(listener)
  useEffect(() => live.onMessage((message) => onMessage(message)), [live])
}

/** The polling interval for what isn't received live; false while live. */
export function useFallbackInterval(ms: number): number | false {
  return useConnection().connection === 'live' ? false : ms
}
