'use client'
import { type ReactNode, useMemo, useRef } from 'react'
import {
  QUEUE_SEARCH,
  type QueueSearch,
  toQueueInput,
  toQueuePath,
  withoutForeignFilters,
} from '#components/kit/addresses/queue-search.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { afterPaint } from '#components/ui/after-paint.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { NamedItemContext, QueueFilterContext } from '../state/use-queue-filter.ts'
import { defaultOf, isUnfiltered, NO_VIEW } from './saved-search.ts'
import { useViews } from './use-views.ts'

/** The change applies immediately and is written to the URL with the next update. */
const NOT_YET = { isDeferred: true }

/**
 * Parses the URL once for all components that depend on the filters, which don't re-render when the item changes, and for those that show
 * the item, which don't re-render while the URL is being written.
 */
export function QueueFilterProvider({ children }: { children: ReactNode }) {
  const [asked, setSearch] = useQueryStates(QUEUE_SEARCH)
  const { zone, ownZone } = useZone()
  const hasDefault = defaultOf(useViews()) !== undefined
  const path = toQueuePath({ ...asked, item: null })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path contains everything that matters of the search
  const filter = useMemo(() => {
    const search = withoutForeignFilters({ ...asked, item: null })

    function narrow(changed: Partial<QueueSearch>): void {
      // A bare URL would open the default view on reload.
      const opensDefault = hasDefault && isUnfiltered({ ...asked, ...changed, item: null })
      setSearch({ ...changed, item: null, ...(opensDefault && { savedView: NO_VIEW }) })
    }
    return { search, zone, ownZone, input: toQueueInput(search, zone), narrow }
  }, [path, zone, ownZone, hasDefault, setSearch])

  const { item } = asked
  const isToBeWritten = useRef(false)
  const named = useMemo(() => {
    function setItem(item: string | null, { isStep } = { isStep: false }): void {
      setSearch({ item }, isStep ? { history: 'push' } : NOT_YET)
      if (isStep || isToBeWritten.current) return
      isToBeWritten.current = true
      void writeSoon()
    }

    /** Deferred until the item is painted: updating the URL takes the router longer than showing the item. */
    async function writeSoon(): Promise<void> {
      const { pathname } = window.location
      await afterPaint()
      isToBeWritten.current = false
      if (window.location.pathname === pathname) setSearch({})
    }

    return { item, setItem }
  }, [item, setSearch])

  return (
    <QueueFilterContext value={filter}>
      <NamedItemContext value={named}>{children}</NamedItemContext>
    </QueueFilterContext>
  )
}
