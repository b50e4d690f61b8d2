import {
  NO_FILTERS,
  type QueueInput,
  type QueueSearch,
  toDeskFilter,
  toQueuePath,
} from '#components/kit/addresses/queue-search.ts'
import type { SavedView, ViewFilters } from '#server/modules/review/views/schema.ts'

/** In the URL when no default view should open. */
export const NO_VIEW = 'none'

/** The view's filters as URL parameters. */
export function toSearch({ viewId, filters }: Pick<SavedView, 'viewId' | 'filters'>): Partial<QueueSearch> {
  const { isFlagged, hasMedia, ...rest } = filters
  return {
    ...NO_FILTERS,
    ...rest,
    isFlagged: isFlagged || null,
    hasMedia: hasMedia || null,
    savedView: viewId,
    item: null,
  }
}

/** The part of the URL that a view saves. */
export function toViewFilters(search: QueueSearch, zone: string): Partial<ViewFilters> & Pick<QueueInput, 'order'> {
  const { period, order } = search
  return { ...toDeskFilter(search, zone), ...(period && { period }), order }
}

/** Whether the URL has exactly the view's filters. */
export function matchesView(search: QueueSearch, view: Pick<SavedView, 'viewId' | 'filters'>): boolean {
  return toQueuePath({ ...search, item: null }) === toQueuePath({ ...search, ...toSearch(view) })
}

/** The view that opens by default: the person's own before a shared one. */
export function defaultOf(views: SavedView[]): SavedView | undefined {
  const defaults = views.filter(({ isDefault }) => isDefault)
  return defaults.find(({ isShared }) => !isShared) ?? defaults[0]
}

/** Whether the URL requests nothing at all. */
export function isUnfiltered(search: QueueSearch): boolean {
  return toQueuePath(search) === '/queue'
}
