import { HOMOGLYPHS } from '#server/core/similarity/homoglyphs.ts'

/**
 * A text without what is changed to make the same text look new: case, width, spaces, punctuation, invisible characters, letters written
 * several times, and letters that look like others. Accents stay, as they make other words (*ano*, *año*), and so do digits and emoji.
 * Linear in the length of the text.
 */
export function normalizeText(text: string): string {
  const readable = text.replaceAll(SURPLUS_MARKS, '$1')
  const lower = readable.normalize('NFKD').toLowerCase().normalize('NFKD')
  const letters = lower.replaceAll(IGNORED, '').replaceAll(/\P{ASCII}/gu, (letter) => HOMOGLYPHS.get(letter) ?? letter)
  return withoutRepetitions(letters.normalize('NFKD'))
}

/** No language has more marks on a letter (UAX #15, stream-safe text), and to bring thousands into their order takes the square of their number. */
const SURPLUS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * Spaces, punctuation, controls and invisible characters, variation selectors, what only stretches a word, and the vowel points that
 * Arabic and Hebrew are usually written without.
 */
const IGNORED =
  /[\p{Z}\p{P}\p{C}\u115f\u1160\u3164\uffa0\u0640]|[\u034f\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]/gu

const IS_LETTER = /^\p{L}$/u
const IS_MARK = /^\p{M}$/u

/** The text with each run of the same letter, with its accents, once. Digits stay: 100 is not 1000. */
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
