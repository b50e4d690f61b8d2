'use client'
import { useQueryStates } from 'nuqs'
import { useZone } from '#components/shell/use-zone.ts'
import { QUEUE_SEARCH, type QueueSearch, toQueueInput } from './queue-search.ts'

/** What the queue is narrowed by. Another filter starts at the first of its rows again. */
export function useQueueFilter() {
  const [search, setSearch] = useQueryStates(QUEUE_SEARCH)
  const { zone, ownZone } = useZone()

  function narrow(changed: Partial<QueueSearch>): void {
    void setSearch({ ...changed, item: null })
  }
  return { search, zone, ownZone, input: toQueueInput(search, zone), narrow }
}
