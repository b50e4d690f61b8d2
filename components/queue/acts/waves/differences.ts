import type { FoundRange } from '#components/ui/split-found.ts'

interface Word extends FoundRange {
  text: string
}

const CUT = '…'
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text that another one doesn't have in the same order. Of excerpts that are cut, nothing after the last word that both have: the other may go on with it. */
export function differences(other: string, text: string): FoundRange[] {
  if (other === text) return []
  const [before, after] = [wordsOf(other), wordsOf(text)]
  const shared = sharedOf(before, after)
  const isCut = other.endsWith(CUT) || text.endsWith(CUT)
  const end = isCut ? Math.max(-1, ...shared) : after.length
  return after.filter((_, at) => at < end && !shared.has(at)).map(({ from, to }) => ({ from, to }))
}

function wordsOf(text: string): Word[] {
  return [...words.segment(text)].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ text: segment.toLowerCase(), from: index, to: index + segment.length }] : [],
  )
}

/** The positions in `after` of the longest sequence of words that both have. */
function sharedOf(before: Word[], after: Word[]): Set<number> {
  /** Of what is left from here on, how many words both have. */
  const left = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  const leftAt = (row: number, column: number) => left[row]?.[column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const isSame = before[row]?.text === after[column]?.text
      const count = isSame
        ? leftAt(row + 1, column + 1) + 1
        : Math.max(leftAt(row + 1, column), leftAt(row, column + 1))
      left[row]?.fill(count, column, column + 1)
    }
  const shared = new Set<number>()
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    if (before[row]?.text === after[column]?.text) {
      shared.add(column)
      row += 1
      column += 1
    } else if (leftAt(row + 1, column) >= leftAt(row, column + 1)) row += 1
    else column += 1
  }
  return shared
}
