'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isException } from '#components/kit/bulks/exceptions.ts'
import { newBulkId } from '#components/kit/bulks/new-bulk-id.ts'
import { undoBulk, workOff } from '#components/kit/bulks/run-bulk.ts'
import { markSeen } from '#components/kit/bulks/seen-bulks.ts'
import { toSeen } from '#components/kit/bulks/to-seen.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import type { ContentRecord } from '#server/modules/people/schema.ts'
import type { BulkPreview, BulkProgress, PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'

/** Entries of the page; without any, all that is held of the person. */
export interface AskedDecision {
  outcome: HeldOutcome
  entries?: ContentRecord[]
  /** Runs when it is done. */
  onDecided?: () => void
}

interface Reason {
  reasonId?: string | undefined
  reason?: string | undefined
}

/** What a decision concerns, read again for what is held; and a function that runs it. */
export function useDecision({ userId, asked: { outcome, entries } }: { userId: string; asked: AskedDecision }) {
  const client = useTRPCClient()
  const [bulkId] = useState(newBulkId)
  const chosen = entries?.filter(({ state }) => state === 'held')
  const published = outcome === 'rejected' ? (entries ?? []).filter(({ state }) => state === 'published') : []
  const preview = useQuery({
    queryKey: ['bulk preview', bulkId],
    queryFn: async (): Promise<BulkPreview> => {
      if (chosen === undefined) return client.bulk.preview.mutate({ matching: { authorId: userId } })
      return chosen.length === 0
        ? { items: [], isCut: false }
        : client.bulk.preview.mutate({ items: chosen.map(toSeen) })
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const items = preview.data?.items ?? []
  const held = items.filter((item) => !isException(item))

  /** Decides on all of it. Called again after a lost connection, it goes on. */
  async function run(reason: Reason, onProgress: (progress: BulkProgress) => void) {
    await client.bulk.start.mutate({
      bulkId,
      outcome,
      ...reason,
      items: held.map(toSeen),
      ...(published.length > 0 && { published: published.map(toSeen) }),
    })
    const progress = await workOff(client, bulkId, onProgress)
    // The message on this page reports the result.
    markSeen(bulkId)
    return { progress, undo: () => undoBulk(client, bulkId) }
  }

  return {
    preview,
    held,
    published: published.map(toPreviewed),
    exceptions: items.filter(isException),
    isCut: preview.data?.isCut ?? false,
    run,
  }
}

function toPreviewed(entry: ContentRecord): PreviewedItem {
  const { subjectType, subjectId, version, excerpt = '', isReported = false, community, channel } = entry
  const communityName = (community ?? channel)?.displayName ?? ''
  return { subjectType, subjectId, version, excerpt, isFlagged: isReported, authorName: '', communityName }
}
