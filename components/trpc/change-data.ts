import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Changes what has been read, and what is being read: an answer on its way was asked for before the change, and a further page is
 * put behind the pages as they were then. So `change` runs once more on what comes of it, and leaves alone what it has changed.
 */
export function changeData<Data>(queryClient: QueryClient, which: QueryFilters, change: (data: Data) => Data): void {
  for (const query of queryClient.getQueryCache().findAll(which)) {
    const apply = () => {
      const data = query.state.data as Data | undefined
      const changed = data === undefined ? undefined : change(data)
      if (changed !== data) queryClient.setQueryData(query.queryKey, changed)
    }
    apply()
    // One that is called off goes back to what was there when it was asked for.
    query.promise?.then(apply, apply)
  }
}
