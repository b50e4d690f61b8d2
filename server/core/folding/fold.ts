import { remembered } from '#server/core/folding/remembered.ts'

/** A text as it is compared, and for each of its UTF-16 units: where it came from in the text as it was written. */
export interface Folded {
  text: string
  starts: number[]
  ends: number[]
  /** How often the letter was written. */
  runs: number[]
  /** Of a letter that was written by itself, with the ones beside it: which of such words it is in, from 1. Absent where no letter was. */
  spaced?: number[]
}

/**
 * A letter with its marks, half-width kana with theirs, or Korean letters in parts: what is normalized together. No language has more than 30 marks on
 * a letter (UAX #15, stream-safe text), and to bring thousands into their order takes the square of their number.
 */
export const CLUSTERS =
  /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[\uff66-\uff9d][\uff9e\uff9f]|[^\p{M}\p{Z}\p{Cc}][\u{1f3fb}-\u{1f3ff}]?\p{M}{0,30}|[\p{Z}\p{Cc}]|\p{M}{1,30}/gu
/**
 * A few ligatures stand for a phrase of up to 18 characters. In a text that has become so long, more of them stand for themselves, so that a text of 20,000
 * characters has at most 110,000 when it is folded, and all of it is read.
 */
const FOLDED_AT_MOST = 30_000
/** A ligature of so many characters is always read. */
const LIGATURE_AT_MOST = 4
/** What is written without being seen, or without being another letter: tatweel stretches Arabic words, and emoji have colours of skin. */
const INVISIBLE =
  /\p{Cf}|\u034f|[\u115f\u1160\u3164\uffa0]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|\u0640|[\u{1f3fb}-\u{1f3ff}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/
/** As phones, keyboards and editors write it. */
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4\u0060\uff07]/g
const SPACE = /^[\s\p{Z}\p{Cc}]+$/u

/** Ignores case, width, kinds of spaces and how many, and invisible characters. Linear in the length of the text. */
export function fold(text: string): Folded {
  const folded = startFolding()
  if (ASCII.test(text)) addAscii(folded, text)
  else
    for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) {
      const end = index + cluster.length
      const characters = withinLimit(folded, cluster, foldCluster(cluster))
      if (characters === ' ') addSpace(folded, { start: index, end })
      else if (characters !== '') add(folded, characters, { start: index, end })
    }
  return endFolding(folded)
}

function withinLimit({ starts }: Folding, cluster: string, characters: string): string {
  const isPhrase = characters.length > LIGATURE_AT_MOST * cluster.length
  return isPhrase && starts.length > FOLDED_AT_MOST ? cluster : characters
}

/** Folds a text of ASCII characters, each of which stands for one: most texts, in half of the time. */
function addAscii(folded: Folding, text: string): void {
  for (let start = 0; start < text.length; start += 1) {
    const character = ASCII_FOLDED[text.charCodeAt(start)] ?? ''
    const origin = { start, end: start + 1 }
    if (character === ' ') addSpace(folded, origin)
    else add(folded, character, origin)
  }
}

/**
 * Without case by capitals, as several letters can have the same one: σ and ς, ß and ss; of small letters first, as ẞ has no capital. A space for any,
 * nothing for the invisible, one apostrophe for all.
 */
const foldCluster = remembered((cluster) => {
  const visible = cluster.replaceAll(APOSTROPHES, "'").normalize('NFKC').replaceAll(INVISIBLE, '')
  if (SPACE.test(visible)) return ' '
  const small = visible.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
  return small.replace('i\u0307', 'i')
})

const ASCII_FOLDED = Array.from({ length: 128 }, (_, code) => foldCluster(String.fromCharCode(code)))

/** A text that is being folded. */
export interface Folding extends Folded {
  /** What was added last: to look at the end of a growing text would copy it each time. */
  last: string
}

export const startFolding = (): Folding => ({ text: '', starts: [], ends: [], runs: [], last: '' })

/** Where characters were written, and how often the letter. */
interface Origin {
  start: number
  end: number
  run?: number
}

export function add(folded: Folding, characters: string, { start, end, run = 1 }: Origin): void {
  if (characters === '') return
  for (let unit = 0; unit < characters.length; unit += 1) {
    folded.starts.push(start)
    folded.ends.push(end)
    folded.runs.push(run)
  }
  folded.text += characters
  folded.last = characters
}

/** One space between other characters, however many there are. */
export function addSpace(folded: Folding, origin: Origin): void {
  if (folded.last !== '' && !folded.last.endsWith(' ')) add(folded, ' ', origin)
}

export const endFolding = ({ text, starts, ends, runs }: Folding): Folded => ({
  text: text.trimEnd(),
  starts,
  ends,
  runs,
})
