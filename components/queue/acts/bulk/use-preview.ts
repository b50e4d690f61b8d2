'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isException } from '#components/kit/bulks/exceptions.ts'
import { newBulkId } from '#components/kit/bulks/new-bulk-id.ts'
import { subjectOf, toSeen } from '#components/kit/bulks/to-seen.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { EMPTY_SELECTION, type SelectedItems } from '../../state/selected-items.ts'

interface Previewed {
  chosen?: SelectedItems
  /** An item whose group is previewed instead of a selection. */
  alike?: Subject | undefined
  /** An item whose wave is. */
  wave?: Subject | undefined
}

/** What a bulk action would do, read once; with the names seen earlier for items that no longer exist. */
export function usePreview({ chosen = EMPTY_SELECTION, alike, wave }: Previewed) {
  const client = useTRPCClient()
  const [bulkId] = useState(newBulkId)
  const seen = chosen.items
  const read = useQuery({
    queryKey: ['bulk preview', bulkId],
    queryFn: () =>
      client.bulk.preview.mutate(
        (alike && { alike: [subjectOf(alike)] }) ??
          (wave && { wave: subjectOf(wave) }) ?? { items: [...seen.values()].map(toSeen) },
      ),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const items = (read.data?.items ?? []).map(
    (item): PreviewedItem => ({ ...item, authorName: item.authorName || (seen.get(itemIdOf(item))?.authorName ?? '') }),
  )
  const doable = items.filter((item) => !isException(item))
  const isCut = alike || wave ? (read.data?.isCut ?? false) : chosen.isCut
  return {
    read,
    bulkId,
    doable,
    exceptions: items.filter(isException),
    /** How many of more are shown; 0 if these are all. */
    cut: isCut ? items.length || seen.size : 0,
    /** What is sent: a selection whole, so that the server records what could not be decided; of a group, what is decided. */
    sent: (alike ? doable : [...seen.values()]).map(toSeen),
  }
}
