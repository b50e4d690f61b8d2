'use client'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLive } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import { isConnectionError } from '../outbox/is-connection-error.ts'

export interface Watching {
  /** Returns the current state. */
  onProgress: (progress: BulkProgress) => BulkProgress
  /** Runs when the bulk finishes while the page is open. */
  onFinished: (progress: BulkProgress) => void
}

/** `cut`: the connection is lost and the server continues by itself. `lost`: the server can't report the progress. */
export type Reach = 'reached' | 'cut' | 'lost'

/** Has the server continue a bulk until it finishes, and follows its progress, also after a lost connection. */
export function useBulkProgress({ bulkId, isFinished }: BulkProgress, { onProgress, onFinished }: Watching): Reach {
  const live = useLive()
  const working = useMutation(useTRPC().bulk.work.mutationOptions())
  const [reach, setReach] = useState<Reach>('reached')

  /** Returns whether there is more to do. */
  const step = useEffectEvent(async (): Promise<boolean> => {
    try {
      const progress = onProgress(await working.mutateAsync({ bulkId }))
      setReach('reached')
      if (progress.isFinished) onFinished(progress)
      return !progress.isFinished
    } catch (error) {
      setReach(isConnectionError(error) ? 'cut' : 'lost')
      if (!isConnectionError(error)) return false
      await live.whenBack()
      return true
    }
  })

  useEffect(() => {
    if (isFinished) return
    let isWatched = true
    const drive = async () => {
      while (isWatched && (await step())) {}
    }
    void drive()
    return () => {
      isWatched = false
    }
  }, [isFinished])

  return reach
}
