import { createHash } from 'node:crypto'
import { HOMOGLYPHS } from '#server/core/homoglyphs.ts'

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

/**
 * A text without what is changed to make the same text look new: case, width, spaces, punctuation, invisible characters, letters written
 * several times, and letters that look like others. Accents stay, as they make other words (*ano*, *año*), and so do digits and emoji.
 * Linear in the length of the text.
 */
export function normalizeText(text: string): string {
  const lower = text.normalize('NFKD').toLowerCase().normalize('NFKD')
  const letters = lower.replaceAll(IGNORED, '').replaceAll(/\P{ASCII}/gu, (letter) => HOMOGLYPHS.get(letter) ?? letter)
  return withoutRepetitions(letters.normalize('NFKD'))
}

/**
 * Spaces, punctuation, controls and invisible characters, variation selectors, what only stretches a word, and the vowel points that
 * Arabic and Hebrew are usually written without.
 */
const IGNORED =
  /[\p{Z}\p{P}\p{C}\u115f\u1160\u3164\uffa0\u0640]|[\u034f\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]/gu

const IS_LETTER = /^\p{L}$/u
const IS_MARK = /^\p{M}$/u

/** Each run of the same letter, with its accents, once. Digits stay: 100 is not 1000. */
function withoutRepetitions(text: string): string {
  let kept = ''
  let previous = ''
  let cluster = ''
  const end = () => {
    if (cluster !== previous) kept += cluster
    previous = cluster
  }
  for (const character of text) {
    if (cluster !== '' && IS_MARK.test(character)) cluster += character
    else if (IS_LETTER.test(character)) {
      end()
      cluster = character
    } else {
      end()
      kept += character
      previous = ''
      cluster = ''
    }
  }
  end()
  return kept
}
