import { remembered } from '#server/modules/rules/conditions/remembered.ts'

/** A text as it is compared, and for each of its UTF-16 units: where it came from in the text as it was written. */
export interface Folded {
  text: string
  starts: number[]
  ends: number[]
  /** How often the letter was written. */
  runs: number[]
}

/** A letter with its marks, or Korean letters in parts: what is normalized together. */
const CLUSTERS = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|\P{M}\p{M}*|\p{M}+/gu
/** What is written without being seen. */
const INVISIBLE =
  /\p{Cf}|\u034f|[\u115f\u1160\u3164\uffa0]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/
const SPACE = /^[\s\p{Z}\p{Cc}]+$/u

/** Ignores case, width, kinds of spaces and how many, and invisible characters. Linear in the length of the text. */
export function fold(text: string): Folded {
  const folded = startFolding()
  for (const { cluster, index } of clustersOf(text)) {
    const [end, characters] = [index + cluster.length, foldCluster(cluster)]
    if (characters === ' ') addSpace(folded, { start: index, end })
    else if (characters !== '') add(folded, characters, { start: index, end })
  }
  return endFolding(folded)
}

function* clustersOf(text: string): Iterable<{ cluster: string; index: number }> {
  if (ASCII.test(text))
    for (let index = 0; index < text.length; index += 1) yield { cluster: text.charAt(index), index }
  else for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) yield { cluster, index }
}

/** Without case by capitals, as several letters can have the same one: σ and ς, ß and ss. A space for any, nothing for the invisible. */
const foldCluster = remembered((cluster) => {
  const visible = cluster.replaceAll(INVISIBLE, '')
  if (SPACE.test(visible)) return ' '
  return visible.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
})

export const startFolding = (): Folded => ({ text: '', starts: [], ends: [], runs: [] })

/** Where characters were written, and how often the letter. */
interface Origin {
  start: number
  end: number
  run?: number
}

export function add(folded: Folded, characters: string, { start, end, run = 1 }: Origin): void {
  for (let unit = 0; unit < characters.length; unit += 1) {
    folded.starts.push(start)
    folded.ends.push(end)
    folded.runs.push(run)
  }
  folded.text += characters
}

/** One space between other characters, however many there are. */
export function addSpace(folded: Folded, origin: Origin): void {
  if (folded.text !== '' && !folded.text.endsWith(' ')) add(folded, ' ', origin)
}

export const endFolding = (folded: Folded): Folded => ({ ...folded, text: folded.text.trimEnd() })
