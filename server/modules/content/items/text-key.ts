import { createHash } from 'node:crypto'
import { normalizeText } from '#server/core/similarity/normalize-text.ts'

/** The key of what is in no group: text that says nothing, and what has files, whose text is not all it says. */
export const NO_TEXT_KEY = '00000000-0000-0000-0000-000000000000'

/** Beyond this many characters a text is compared as it is written. */
const NORMALIZED_LENGTH = 10_000

export interface Written {
  subjectType: 'comment' | 'post'
  /** Null outside communities, where nothing is held. */
  communityId: string | null
  data: unknown
  hasFiles: boolean
}

/** Equal for two items of one type in one community if and only if they say the same (docs/decisions/0198). A UUID of 128 bits of SHA-256. */
export function textKeyOf({ subjectType, communityId, data, hasFiles }: Written): string {
  const title = subjectType === 'post' ? normalized(textPartOf(data, 'title')) : ''
  const text = normalized(textPartOf(data, 'text'))
  if (communityId === null || hasFiles || (!title && !text)) return NO_TEXT_KEY
  const digest = createHash('sha256')
    .update(JSON.stringify([subjectType, communityId, title, text]))
    .digest('hex')
  const groups = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20)]
  return [...groups, digest.slice(20, 32)].join('-')
}

/** The title or the text, if the data has one. */
export function textPartOf(data: unknown, key: 'title' | 'text'): string {
  const part = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined
  return typeof part === 'string' ? part : ''
}

function normalized(text: string): string {
  if (text.length <= NORMALIZED_LENGTH) return normalizeText(text)
  return JSON.stringify([normalizeText(text.slice(0, NORMALIZED_LENGTH)), text.slice(NORMALIZED_LENGTH)])
}
