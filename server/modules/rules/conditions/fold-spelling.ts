import { add, addSpace, endFolding, type Folded, type Folding, startFolding } from '#server/core/folding/fold.ts'
import { remembered } from '#server/core/folding/remembered.ts'
import { HOMOGLYPHS } from '#server/core/similarity/homoglyphs.ts'

/** The letter that the signs 1, ! and | stand for. */
export type Ambiguous = 'i' | 'l'

const AMBIGUOUS = /[1!|]/
/** Signs that stand for one letter. */
const LEET = new Map(
  Object.entries({ 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '€': 'e' }),
)
/** Letters, digits, and signs that can stand for letters. */
const TOKEN = /[\p{L}\p{M}\p{N}@$€!|]+/gu
/** At the end of a word, these end a sentence. */
const ENDS_SENTENCE = new Set(['!', '|'])
/** Marks of many scripts decorate a letter; those of one script are letters, and so are the voicing marks of kana. */
const ACCENTS = /(?![\u3099\u309a])\p{Script=Inherited}/gu
const LETTER = /\p{L}/u
const isLetter = remembered((sign) => LETTER.test(sign))

/** A word of letters with something between them has at least so many, and at most so many characters between two of them. */
const SPACED_LETTERS = 3
const SPACED_BY = 3

/** Whether a folded text has signs that stand for one letter or another, so that it is folded for each. */
export const isAmbiguous = ({ text }: Folded): boolean => AMBIGUOUS.test(text)

/** A character of a folded text, and its place there. */
interface Character {
  sign: string
  at: number
}

/**
 * Undoes, of a folded text, what makes a word look like another one: accents, letters that look alike, digits and signs beside letters,
 * letters written several times, and something between single letters. What is no part of a word is a space. Linear in the length of the text.
 */
export function foldSpelling(folded: Folded, ambiguous: Ambiguous): Folded {
  const spelled = startFolding()
  const spaced: number[] = []
  for (const [index, { characters, isSpaced }] of joinSpacedLetters(splitWords(folded.text)).entries()) {
    const from = folded.starts[characters[0]?.at ?? 0] ?? 0
    addSpace(spelled, { start: from, end: from })
    const start = spelled.text.length
    addWord(spelled, folded, characters, ambiguous)
    if (isSpaced) for (let at = start; at < spelled.text.length; at += 1) spaced[at] = index + 1
  }
  return spaced.length > 0 ? { ...endFolding(spelled), spaced } : endFolding(spelled)
}

function splitWords(text: string): Character[][] {
  const words: Character[][] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const { from, to } = withoutEnds(token)
    let at = index + from
    const characters: Character[] = []
    for (const sign of token.slice(from, to)) {
      characters.push({ sign, at })
      at += sign.length
    }
    if (characters.length > 0) words.push(characters)
  }
  return words
}

/** The word in a token: a sign by itself is one, several alone aren't. A regular expression for this takes the square of the length of a run. */
function withoutEnds(token: string): { from: number; to: number } {
  let [from, to] = [0, token.length]
  if (to === 1) return { from, to }
  while (from < to && ENDS_SENTENCE.has(token.charAt(from))) from += 1
  while (to > from && ENDS_SENTENCE.has(token.charAt(to - 1))) to -= 1
  return { from, to }
}

interface Word {
  characters: Character[]
  /** Whether its letters were written one by one: then it may be several words. */
  isSpaced: boolean
}

function joinSpacedLetters(words: Character[][]): Word[] {
  const joined: Word[] = []
  let letters: Character[][] = []
  const endLetters = () => {
    if (letters.length >= SPACED_LETTERS) joined.push({ characters: letters.flat(), isSpaced: true })
    else for (const characters of letters) joined.push({ characters, isSpaced: false })
    letters = []
  }
  for (const word of words) {
    const [first] = word
    const last = letters.at(-1)?.[0]
    const follows = first && last && first.at - last.at - last.sign.length <= SPACED_BY
    if (word.length > 1 || !follows) endLetters()
    if (word.length > 1) joined.push({ characters: word, isSpaced: false })
    else letters.push(word)
  }
  endLetters()
  return joined
}

/** Signs stand for letters beside letters only: 100 is a number. */
function addWord(spelled: Folding, folded: Folded, word: Character[], ambiguous: Ambiguous): void {
  const isWritten = word.some(({ sign }) => isLetter(sign))
  let last = { letter: '', start: 0, end: 0, run: 0 }
  for (const { sign, at } of word) {
    const end = folded.ends[at + sign.length - 1] ?? 0
    for (const letter of isWritten ? lettersOf(sign, ambiguous) : sign) {
      if (letter === last.letter && isLetter(letter)) last.run += 1
      else {
        add(spelled, last.letter, last)
        last = { letter, start: folded.starts[at] ?? 0, end, run: 1 }
      }
    }
    last.end = end
  }
  add(spelled, last.letter, last)
}

function lettersOf(sign: string, ambiguous: Ambiguous): string {
  return AMBIGUOUS.test(sign) ? ambiguous : plainLetter(sign)
}

const plainLetter = remembered((sign) => {
  const plain = sign.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC')
  return LEET.get(plain) ?? HOMOGLYPHS.get(plain) ?? plain
})
