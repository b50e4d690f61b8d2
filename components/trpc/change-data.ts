import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Changes cached data, and the result of requests in flight: their response was requested before the change, and a further page is appended
 * to the pages as they were then. So `change` runs again on the result, and must leave data it has already changed as it is.
 */
export function changeData<Data>(queryClient: QueryClient, which: QueryFilters, change: (data: Data) => Data): void {
  for (const query of queryClient.getQueryCache().findAll(which)) {
    const apply = () => {
      const data = query.state.data as Data | undefined
      const changed = data === undefined ? undefined : change(data)
      if (changed !== data) queryClient.setQueryData(query.queryKey, changed)
    }
    apply()
    // A cancelled query reverts to the data from when it was started.
    query.promise?.then(apply, apply)
  }
}
