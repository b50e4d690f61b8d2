/** Ways on and back, as the pager takes them; undefined where a way leads nowhere. */
export interface PagerTurns {
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A page of a list in sight, with the cursors of its neighbours. */
interface PageInSight {
  data: { next?: string | undefined; previous?: string | undefined } | undefined
  isPlaceholderData: boolean
}

/**
 * The ways from the page in sight. While another page is read, the one before is still in sight and its ways are no
 * longer meant: pressed once more, they do nothing.
 */
export function pagerProps(
  { data, isPlaceholderData }: PageInSight,
  turn: (cursor: string, step: 1 | -1) => void,
): PagerTurns {
  const wayTo = (cursor: string | undefined, step: 1 | -1) =>
    cursor === undefined ? undefined : () => (isPlaceholderData ? undefined : turn(cursor, step))
  return { onPrevious: wayTo(data?.previous, -1), onNext: wayTo(data?.next, 1) }
}
