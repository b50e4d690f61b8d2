'use client'
import { useQueryStates } from 'nuqs'
import { useZone } from '#components/shell/use-zone.ts'
import { ofItsView, QUEUE_SEARCH, type QueueSearch, toQueueInput } from './queue-search.ts'
import { defaultOf, isBare, NO_VIEW } from './views/saved-search.ts'
import { useViews } from './views/use-views.ts'

/** What the queue is narrowed by. Another filter starts at the first of its rows again. */
export function useQueueFilter() {
  const [asked, setSearch] = useQueryStates(QUEUE_SEARCH)
  const search = ofItsView(asked)
  const { zone, ownZone } = useZone()
  const hasDefault = defaultOf(useViews()) !== undefined

  function narrow(changed: Partial<QueueSearch>): void {
    // An address that asks for nothing would open the default view when it is loaded again.
    const opensDefault = hasDefault && isBare({ ...asked, ...changed, item: null })
    void setSearch({ ...changed, item: null, ...(opensDefault && { savedView: NO_VIEW }) })
  }
  return { search, zone, ownZone, input: toQueueInput(search, zone), narrow }
}
