/** A touch on the item: where it began and where it is, in CSS pixels. */
export interface Touch {
  startX: number
  startY: number
  x: number
  y: number
}

export type Swipe =
  /** Too short to tell, or given up. */
  | { kind: 'none' }
  /** Up or down: the page scrolls. */
  | { kind: 'scroll' }
  /** Sideways: how far, and whether letting go decides. To the right approves, to the left rejects. */
  | { kind: 'sideways'; by: number; outcome: 'yes' | 'no'; isFarEnough: boolean }

const STARTS_AT_PX = 12
/** Sideways by more than twice the way up or down. */
const STEEPNESS = 2
const DECIDES_AT = 0.35
const DECIDES_AT_LEAST_PX = 96

/** What a touch means on an item of that width. */
export function swipeOf({ startX, startY, x, y }: Touch, width: number): Swipe {
  const by = x - startX
  const along = Math.abs(by)
  const across = Math.abs(y - startY)
  if (Math.max(along, across) < STARTS_AT_PX) return { kind: 'none' }
  if (along < across * STEEPNESS) return { kind: 'scroll' }
  return {
    kind: 'sideways',
    by,
    outcome: by > 0 ? 'yes' : 'no',
    isFarEnough: along >= Math.max(DECIDES_AT_LEAST_PX, width * DECIDES_AT),
  }
}
