/** Props of the pager; a direction without a page is undefined. */
export interface PagerTurns {
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A page of a list, with the cursors of its neighbours. */
interface PageInSight {
  data: { next?: string | undefined; previous?: string | undefined } | undefined
  isPlaceholderData: boolean
}

/** The pager's props for the current page. While another page loads, the previous one is still visible and its buttons do nothing. */
export function pagerProps(
  { data, isPlaceholderData }: PageInSight,
  turn: (cursor: string, step: 1 | -1) => void,
): PagerTurns {
  const wayTo = (cursor: string | undefined, step: 1 | -1) =>
    cursor === undefined ? undefined : () => (isPlaceholderData ? undefined : turn(cursor, step))
  return { onPrevious: wayTo(data?.previous, -1), onNext: wayTo(data?.next, 1) }
}
