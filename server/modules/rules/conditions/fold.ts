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
const SPACE = /^[\s\p{Z}\p{Cc}]+$/u

/** Ignores case, width, kinds of spaces and how many, and invisible characters. Linear in the length of the text. */
export function fold(text: string): Folded {
  const folded = startFolding()
  for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) {
    const visible = cluster.replaceAll(INVISIBLE, '')
    const end = index + cluster.length
    if (SPACE.test(visible)) addSpace(folded, { start: index, end })
    else if (visible !== '') add(folded, withoutCase(visible), { start: index, end })
  }
  return endFolding(folded)
}

/** By capitals, as several letters can have the same one: σ and ς, ß and ss. */
function withoutCase(cluster: string): string {
  return cluster.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

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
