'use client'
import { createContext, type ReactNode, use, useState, useSyncExternalStore } from 'react'
import { EMPTY_QUEUE_STATE, type QueueState } from './queue-state.ts'
import { type QueueEvent, reduceQueue } from './reduce-queue.ts'

/** Holds the state of one queue page. It changes immediately, also between renders. */
export interface QueueStore {
  getState: () => QueueState
  dispatch: (event: QueueEvent) => void
  subscribe: (listener: () => void) => () => void
}

function createQueueStore(): QueueStore {
  const listeners = new Set<() => void>()
  let state = EMPTY_QUEUE_STATE
  return {
    getState: () => state,
    dispatch(event) {
      const before = state
      state = reduceQueue(before, event)
      if (state !== before) for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const Context = createContext<QueueStore | undefined>(undefined)

export function QueueStoreProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createQueueStore)
  return <Context value={store}>{children}</Context>
}

export function useQueueStore(): QueueStore {
  const store = use(Context)
  if (!store) throw new Error('outside the desk')
  return store
}

export function useQueueState(): QueueState {
  const { subscribe, getState } = useQueueStore()
  return useSyncExternalStore(subscribe, getState, getState)
}
