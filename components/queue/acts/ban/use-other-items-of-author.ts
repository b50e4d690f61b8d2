'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import type { BulkProgress, PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { newBulkId } from '../bulk/new-bulk-id.ts'
import { markSeen } from '../bulk/seen-bulks.ts'
import { rejectedWith } from './rejected-with.ts'

interface OtherItemsInput {
  item: QueueItem
  /** All pending items of the author, or only those in the item's community. */
  isEverywhere: boolean
}

/** The author's pending items, and rejecting them as one bulk action. */
export function useOtherItemsOfAuthor({ item, isEverywhere }: OtherItemsInput) {
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const bulkId = useRef('')
  const communityId = isEverywhere ? undefined : item.community?.communityId

  const options = {
    queryKey: ['others of', item.author.userId, communityId],
    queryFn: () => client.bulk.preview.mutate({ matching: { authorId: item.author.userId, communityId } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  }
  const preview = useQuery(options)
  const items = preview.data ? rejectedWith(item, preview.data.items) : []

  /** Rejects them and reports progress; undefined if there are none. Called again after an error, it resumes. */
  async function remove(onProgress: (progress: BulkProgress) => void): Promise<Removal | undefined> {
    // The preview may still be loading if the keys were faster.
    const previewed = await queryClient.fetchQuery(options)
    const removable = rejectedWith(item, previewed.items).filter(({ error }) => error === undefined)
    if (removable.length === 0) return undefined
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
      undo: () => undo(id),
    }
  }

  /** Returns whether the items wait again; false once that is too late. */
  async function undo(id: string): Promise<boolean> {
    try {
      const { isFinished } = await client.bulk.undo.mutate({ bulkId: id })
      if (!isFinished) await workOff(id, () => {})
      return true
    } catch (error) {
      if (toRequestError(error).code === 'CONFLICT') return false
      throw error
    }
  }

  async function workOff(id: string, onProgress: (progress: BulkProgress) => void): Promise<BulkProgress> {
    for (;;) {
      const progress = await client.bulk.work.mutate({ bulkId: id })
      onProgress(progress)
      if (progress.isFinished) return progress
    }
  }

  return { items, preview, remove }
}

export interface Removal {
  done: number
  refused: number
  gone: PreviewedItem[]
  undo: () => Promise<boolean>
}
