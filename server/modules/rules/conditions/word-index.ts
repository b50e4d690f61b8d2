import { setImmediate } from 'node:timers/promises'
import { type Folded, fold } from '#server/core/folding/fold.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { Automaton } from '#server/modules/rules/conditions/automaton.ts'
import { isWholeWord } from '#server/modules/rules/conditions/boundaries.ts'
import type { Text } from '#server/modules/rules/conditions/facts.ts'
import { foldSpelling, isAmbiguous } from '#server/modules/rules/conditions/fold-spelling.ts'
import { FOUND_AT_MOST, type Found } from '#server/modules/rules/conditions/found.ts'
import type { Words } from '#server/modules/rules/conditions/schema.ts'

/** Finds the words of many conditions in one pass over a text. */
export interface WordIndex {
  find: (texts: Text[]) => ReadonlyMap<Words, Found[]>
  /** Of which it consists. */
  matchers: Matchers[]
}

type Matcher = (folded: Folded, onFound: (condition: Words, range: Range) => void) => void

/** Matchers of words as they are written, and as they are spelled: undefined without any. */
interface Matchers {
  written: Matcher | undefined
  spelled: Matcher | undefined
}

interface Entry {
  condition: Words
  text: string
  /** Of the text's letters. */
  runs: number[]
  /** Whether it is a phrase without its spaces, which is found in letters that were written one by one. */
  isSpaced: boolean
}

/** Looked at in one text, found or not: words within words can occur at every character. People's texts have a hundredth of that. */
const CANDIDATES_AT_MOST = 50_000
/** A letter that is written more often than in the word stretches it from here on; written twice, it makes another word (*god*, *good*). */
const STRETCHED = 3
/** A word of so many letters is found among others that were written one by one: shorter ones are parts of too many words. */
const SPACED_WORD_LETTERS = 4
/** Only words of letters are spelled in several ways: *100%* and *c++* aren't. */
const CAN_BE_SPELLED = /^(?=.*\p{L})[\p{L}\p{M}\p{N} '’-]+$/u

/** Built once for all conditions of a set of rules, in turns of a few milliseconds. */
export async function indexWords(conditions: Words[]): Promise<WordIndex> {
  const words = conditions.flatMap((condition) => condition.words.map((word) => ({ condition, word })))
  const written = await mapInTurns(words, ({ condition, word }) => entryOf(condition, fold(word)))
  const spelled = await mapInTurns(words, ({ condition, word }) =>
    condition.spelling === 'similar' && CAN_BE_SPELLED.test(word) ? spelledEntries(condition, word) : [],
  )
  return indexOf([{ written: await matcherOf(written), spelled: await matcherOf(spelled.flat()) }])
}

/** Finds what each of them finds. */
export function joinIndexes(indexes: WordIndex[]): WordIndex {
  return indexOf(indexes.flatMap(({ matchers }) => matchers))
}

function indexOf(matchers: Matchers[]): WordIndex {
  const findEach = eachOf(matchers)
  return {
    matchers,
    find(texts) {
      const found = new Map<Words, Found[]>()
      for (const { field, text } of texts)
        findEach?.(fold(text), (condition, range) => note(found, condition, { field, ...range }))
      return found
    },
  }
}

/** A text is folded once for all of them. */
function eachOf(matchers: Matchers[]): Matcher | undefined {
  const written = matchers.flatMap(({ written }) => written ?? [])
  const spelled = matchers.flatMap(({ spelled }) => spelled ?? [])
  if (written.length === 0) return undefined
  return (folded, onFound) => {
    for (const find of written) find(folded, onFound)
    const spellings = spelled.length > 0 ? spellingsOf(folded) : []
    for (const spelling of spellings) for (const find of spelled) find(spelling, onFound)
  }
}

function entryOf(condition: Words, { text, runs }: Folded, isSpaced = false): Entry {
  // A list that grew has room for more; a copy hasn't.
  return { condition, text, runs: runs.slice(0, text.length), isSpaced }
}

function spelledEntries(condition: Words, word: string): Entry[] {
  const spelled = foldSpelling(fold(word), 'i')
  const entry = entryOf(condition, spelled)
  if (!spelled.text.includes(' ')) return [entry]
  return [entry, entryOf(condition, foldSpelling(fold(word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')), 'i'), true)]
}

const spellingsOf = (folded: Folded): Folded[] =>
  (isAmbiguous(folded) ? (['i', 'l'] as const) : (['i'] as const)).map((letter) => foldSpelling(folded, letter))

type Range = Pick<Found, 'from' | 'to'>

async function matcherOf(entries: Entry[]): Promise<Matcher | undefined> {
  if (entries.length === 0) return undefined
  const byText = Map.groupBy(entries, ({ text }) => text)
  await setImmediate()
  const texts = [...byText.keys()].filter((text) => text !== '').sort()
  await setImmediate()
  const found = texts.map((text) => ({ length: text.length, entries: byText.get(text) ?? [] }))
  const automaton = await Automaton.of(texts)
  return (folded, onFound) => {
    let candidates = 0
    automaton.find(folded.text, (word, end) => {
      const { length = 0, entries = [] } = found[word] ?? {}
      const start = end - length
      for (const entry of entries) {
        candidates += 1
        if (!areRunsAlike(entry.runs, folded.runs, start) || !isMatch(entry, folded, { start, end })) continue
        onFound(entry.condition, { from: folded.starts[start] ?? 0, to: folded.ends[end - 1] ?? 0 })
      }
      return candidates < CANDIDATES_AT_MOST
    })
  }
}

interface Place {
  start: number
  end: number
}

/** With all of its marks, a letter is another one. */
const MARK = /\p{M}/uy

function isCutOff(text: string, end: number): boolean {
  MARK.lastIndex = end
  return MARK.test(text)
}

/** Whether the word counts as found there. Where letters were written one by one, a word may begin and end at each. */
function isMatch({ condition, runs, isSpaced }: Entry, { text, spaced }: Folded, { start, end }: Place): boolean {
  if (isCutOff(text, end)) return false
  const isAmongLetters = spaced?.[start] !== undefined && spaced[start] === spaced[end - 1]
  if (isSpaced) return isAmongLetters
  if (condition.match === 'part' || isWholeWord(text, start, end)) return true
  return isAmongLetters && sum(runs) >= SPACED_WORD_LETTERS
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

function areRunsAlike(word: number[], written: number[], start: number): boolean {
  return word.every((run, at) => {
    const times = written[start + at] ?? 0
    return times === run || (times >= STRETCHED && times > run)
  })
}

/** Each range once, in the order of the text, and no more than a reader looks at. */
function note(all: Map<Words, Found[]>, condition: Words, range: Found): void {
  const found = all.get(condition) ?? []
  const isNew = !found.some(({ field, from, to }) => field === range.field && from === range.from && to === range.to)
  if (isNew && found.length < FOUND_AT_MOST) found.push(range)
  all.set(condition, found)
}
