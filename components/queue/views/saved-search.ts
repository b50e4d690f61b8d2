import {
  NOTHING_NARROWED,
  type QueueInput,
  type QueueSearch,
  toDeskFilter,
  toQueuePath,
} from '#components/kit/addresses/queue-search.ts'
import type { SavedView, ViewFilters } from '#server/modules/review/views/schema.ts'

/** Said in the address where no view is to open by itself. */
export const NO_VIEW = 'none'

/** The view's filters, as the address says them. */
export function toSearch({ viewId, filters }: Pick<SavedView, 'viewId' | 'filters'>): Partial<QueueSearch> {
  const { isFlagged, hasMedia, ...rest } = filters
  return {
    ...NOTHING_NARROWED,
    ...rest,
    isFlagged: isFlagged || null,
    hasMedia: hasMedia || null,
    savedView: viewId,
    item: null,
  }
}

/** What a view keeps of the address. */
export function toViewFilters(search: QueueSearch, zone: string): Partial<ViewFilters> & Pick<QueueInput, 'order'> {
  return { ...toDeskFilter(search, zone), order: search.order }
}

/** Whether the address says just what the view does. */
export function isAsSaved(search: QueueSearch, view: Pick<SavedView, 'viewId' | 'filters'>): boolean {
  return toQueuePath({ ...search, item: null }) === toQueuePath({ ...search, ...toSearch(view) })
}

/** What opens where nothing is asked for: one's own, before everybody's. */
export function defaultOf(views: SavedView[]): SavedView | undefined {
  const defaults = views.filter(({ isDefault }) => isDefault)
  return defaults.find(({ isShared }) => !isShared) ?? defaults[0]
}

/** Whether the address asks for nothing at all. */
export function isBare(search: QueueSearch): boolean {
  return toQueuePath(search) === '/queue'
}
