import { ErrorState, type ReadList } from './error-state.tsx'
import { LoadingRows } from './loading-rows.tsx'

/** A query of React Query. */
export interface ReadQuery extends ReadList {
  isError: boolean
  isPending: boolean
}

/** The state of a query besides its data: placeholders until the first answer, and its error with a retry. */
export function QueryState({ query }: { query: ReadQuery }) {
  return (
    <>
      {query.isError && <ErrorState list={query} />}
      {query.isPending && <LoadingRows />}
    </>
  )
}
