'use client'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import type { BulkProgress, PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { newBulkId } from '../bulk/new-bulk-id.ts'
import { markSeen } from '../bulk/seen-bulks.ts'
import { itemIdOf } from '../item-id.ts'

interface OthersInput {
  item: QueueItem
  /** All pending items of the author, or only those in the item's community. */
  isEverywhere: boolean
  isWanted: boolean
}

/** The author's other pending items, and rejecting them as one bulk action. */
export function useOthers({ item, isEverywhere, isWanted }: OthersInput) {
  const client = useTRPCClient()
  const bulkId = useRef('')
  const communityId = isEverywhere ? undefined : item.community?.communityId

  const preview = useQuery({
    queryKey: ['others of', item.author.userId, communityId],
    queryFn: () => client.bulk.preview.mutate({ matching: { authorId: item.author.userId, communityId } }),
    enabled: isWanted,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const others = isWanted ? (preview.data?.items.filter((other) => itemIdOf(other) !== itemIdOf(item)) ?? []) : []
  const removable = others.filter(({ error }) => error === undefined)

  /** Rejects them and reports progress. Called again after an error, it resumes. */
  async function remove(onProgress: (progress: BulkProgress) => void): Promise<Removal> {
    bulkId.current ||= newBulkId()
    const id = bulkId.current
    await client.bulk.start.mutate({
      bulkId: id,
      outcome: 'rejected',
      items: removable.map(({ subjectType, subjectId, version }) => ({ subjectType, subjectId, version })),
    })
    const progress = await workOff(id, onProgress)
    // The ban's own message reports the result.
    markSeen(id)
    const refused = new Set(progress.refused.map(itemIdOf))
    return {
      done: progress.done,
      refused: progress.refused.length,
      gone: removable.filter((other) => !refused.has(itemIdOf(other))),
      undo: async () => {
        await client.bulk.undo.mutate({ bulkId: id })
        await workOff(id, () => {})
      },
    }
  }

  async function workOff(id: string, onProgress: (progress: BulkProgress) => void): Promise<BulkProgress> {
    for (;;) {
      const progress = await client.bulk.work.mutate({ bulkId: id })
      onProgress(progress)
      if (progress.isFinished) return progress
    }
  }

  return { others, removable, preview, remove }
}

export interface Removal {
  done: number
  refused: number
  gone: PreviewedItem[]
  undo: () => Promise<void>
}
