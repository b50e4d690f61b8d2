'use client'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLive } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import { isConnectionError } from '../outbox/is-connection-error.ts'

export interface Watching {
  /** Answers with what is so now. */
  onProgress: (progress: BulkProgress) => BulkProgress
  /** It came to its end while one looked on. */
  onFinished: (progress: BulkProgress) => void
}

/** `cut`: the server is not reached, and goes on by itself. `lost`: it answers that it cannot say how far it is. */
export type Reach = 'reached' | 'cut' | 'lost'

/** Has the server go on with a bulk until it is finished, and is told how far it is; over a cut connection, too. */
export function useBulkProgress({ bulkId, isFinished }: BulkProgress, { onProgress, onFinished }: Watching): Reach {
  const live = useLive()
  const working = useMutation(useTRPC().bulk.work.mutationOptions())
  const [reach, setReach] = useState<Reach>('reached')

  /** Answers whether there is more to do. */
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
