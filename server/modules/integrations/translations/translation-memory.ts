import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '#server/core/errors.ts'
import { TRANSLATIONS_A_MINUTE, type TranslatedText } from '#server/modules/integrations/translations/schema.ts'

const KEPT_MS = 3_600_000
/** Of all that is kept, in UTF-16 units. */
const KEPT_LENGTH = 2_000_000

interface Kept<Found> {
  found: Found
  until: number
}

/**
 * What the service answered to this process in the last hour. It is in memory alone, so that no copy of what people wrote outlives them
 * (docs/decisions/0295-translations.md).
 */
export interface TranslationMemory {
  /** The kept translation of this key, else what `ask` finds: for callers who come at once, it is asked once. What has no text isn't kept. */
  once<Found extends Partial<TranslatedText>>(key: string, now: Date, ask: () => Promise<Found>): Promise<Found>
  /** Whether `once` answers without asking. */
  has(key: string, now: Date): boolean
  /** Counts a request of this person. Fails with RATE_LIMITED beyond the limit. */
  count(userId: string): Promise<void>
}

export function createTranslationMemory(keptLength = KEPT_LENGTH): TranslationMemory {
  /** In the order in which they end. */
  const kept = new Map<string, Kept<Partial<TranslatedText>>>()
  const asked = new Map<string, Promise<Partial<TranslatedText>>>()
  const limiter = new RateLimiterMemory({ duration: 60, points: TRANSLATIONS_A_MINUTE })
  let length = 0

  function forget(isOver: (one: Kept<Partial<TranslatedText>>) => boolean): void {
    for (const [key, one] of kept) {
      if (!isOver(one)) return
      kept.delete(key)
      length -= lengthOf(one.found)
    }
  }

  const find = (key: string, now: Date) => {
    forget(({ until }) => until <= now.getTime())
    return kept.get(key)?.found ?? asked.get(key)
  }

  return {
    has: (key, now) => find(key, now) !== undefined,
    async once<Found extends Partial<TranslatedText>>(key: string, now: Date, ask: () => Promise<Found>) {
      const found = find(key, now)
      // What a key names is always of one type.
      if (found !== undefined) return (await found) as Found
      const asking = ask().finally(() => asked.delete(key))
      asked.set(key, asking)
      const answer = await asking
      if (answer.text === undefined) return answer
      length += lengthOf(answer)
      kept.set(key, { found: answer, until: now.getTime() + KEPT_MS })
      forget(() => length > keptLength)
      return answer
    },
    async count(userId) {
      try {
        await limiter.consume(userId)
      } catch (rejection) {
        throw rejection instanceof RateLimiterRes ? new DomainError('RATE_LIMITED') : rejection
      }
    },
  }
}

const lengthOf = ({ text = '' }: Partial<TranslatedText>) => text.length
