'use client'
import { notifyManager } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState, useSyncExternalStore } from 'react'
import { createRecount, type Recount } from '../recount.ts'
import { EMPTY_QUEUE_STATE, type QueueState } from './queue-state.ts'
import { type QueueEvent, reduceQueue } from './reduce-queue.ts'

/** Holds the state of one queue page. It changes immediately, also between renders. */
export interface QueueStore {
  getState: () => QueueState
  dispatch: (event: QueueEvent) => void
  subscribe: (listener: () => void) => () => void
  recount: Recount
}

function createQueueStore(): QueueStore {
  const listeners = new Set<() => void>()
  let state = EMPTY_QUEUE_STATE
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    recount: createRecount(),
    getState: () => state,
    dispatch(event) {
      const before = state
      state = reduceQueue(before, event)
      if (state === before) return
      // Live events arrive in bursts, which are rendered once.
      if (event.type === 'published') notifyManager.schedule(notify)
      else notify()
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
