'use client'
import { useQueryStates } from 'nuqs'
import { type ReactNode, useMemo } from 'react'
import { useZone } from '#components/shell/use-zone.ts'
import { ofItsView, QUEUE_SEARCH, type QueueSearch, toQueueInput, toQueuePath } from './queue-search.ts'
import { QueueFilterContext } from './use-queue-filter.ts'
import { defaultOf, isBare, NO_VIEW } from './views/saved-search.ts'
import { useViews } from './views/use-views.ts'

/** Reads the address once for all that is narrowed by it, which stands still while one goes from item to item. */
export function QueueFilterProvider({ children }: { children: ReactNode }) {
  const [asked, setSearch] = useQueryStates(QUEUE_SEARCH)
  const { zone, ownZone } = useZone()
  const hasDefault = defaultOf(useViews()) !== undefined
  const path = toQueuePath({ ...asked, item: null })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says all that counts of what is asked
  const filter = useMemo(() => {
    const search = ofItsView({ ...asked, item: null })

    function narrow(changed: Partial<QueueSearch>): void {
      // An address that asks for nothing would open the default view when it is loaded again.
      const opensDefault = hasDefault && isBare({ ...asked, ...changed, item: null })
      void setSearch({ ...changed, item: null, ...(opensDefault && { savedView: NO_VIEW }) })
    }
    return { search, zone, ownZone, input: toQueueInput(search, zone), narrow }
  }, [path, zone, ownZone, hasDefault, setSearch])

  return <QueueFilterContext value={filter}>{children}</QueueFilterContext>
}
