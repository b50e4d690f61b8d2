import type { LiveMessage } from '#server/modules/live/schema.ts'

/** The number of messages kept for tabs that open later. */
const KEPT = 500

/** Recently received messages, so that none is handled twice and a tab that opens gets what it missed. */
export interface Recent {
  /** The current position; undefined before any is known. */
  position(): number | undefined
  begin(position: number | undefined): void
  /** False for a message received before. */
  add(message: LiveMessage): boolean
  /** The messages after that position; undefined if they are no longer all kept. */
  after(position: number): LiveMessage[] | undefined
}

export function createRecent(): Recent {
  let kept: LiveMessage[] = []
  let completeFrom: number | undefined
  let position: number | undefined

  return {
    position: () => position,
    begin(from) {
      position = from
      completeFrom = from
    },
    add(message) {
      if (message.kind === 'event') {
        if (position !== undefined && message.seq <= position) return false
        kept.push(message)
        if (kept.length > KEPT) completeFrom = kept.shift()?.seq
      }
      if (message.kind === 'reset') {
        kept = []
        completeFrom = message.seq
        position = message.seq
      }
      position = Math.max(position ?? 0, message.seq)
      completeFrom ??= message.seq
      return true
    },
    after(from) {
      if (completeFrom === undefined || from < completeFrom) return undefined
      return kept.filter(({ seq }) => seq > from)
    },
  }
}
