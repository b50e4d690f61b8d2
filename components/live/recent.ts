import type { LiveMessage } from '#server/modules/live/schema.ts'

/** How much a tab that opens later can be told of. */
const KEPT = 500

/** What was heard of late, so that nothing is heard twice and a tab that opens hears what it missed. */
export interface Recent {
  /** Where one stands; undefined before anything is known. */
  position(): number | undefined
  begin(position: number | undefined): void
  /** False for what was heard before. */
  add(message: LiveMessage): boolean
  /** What came after that place; undefined where that is no longer known. */
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
