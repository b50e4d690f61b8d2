import { mixed } from '#server/core/similarity/shingles.ts'

/** Texts that wave after wave of near-duplicates and everybody else write; the same on every run. */
export function writtenTexts() {
  let count = 0
  /** From 0 up to 1, excluded. */
  const random = () => {
    count += 1
    return mixed(count) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T
  const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

  const words = many(4_000, () => many(1 + below(4), () => one(SYLLABLES)).join(''))
  /** Few words are frequent, as in a language. */
  const word = () => words[Math.floor(words.length * random() ** 3)] ?? ''
  const written = (length: number) => {
    let text = word()
    while (text.length < length) text += ` ${word()}`
    return text
  }
  const inHan = (length: number) =>
    many(length, () => String.fromCodePoint(0x4e00 + Math.floor(3_000 * random() ** 2))).join('')

  /** A text of 40 to 250 characters, every fifth in Chinese characters. */
  const text = () => (below(5) === 0 ? inHan(40 + below(60)) : written(40 + below(210)))

  /** The text with this share of its characters replaced, added or removed, at random places. */
  function edited(text: string, share: number): string {
    const characters = [...text]
    const letters = [...text]
    for (let edit = 0; edit < Math.round(letters.length * share); edit += 1) {
      const [at, kind] = [below(characters.length), below(3)]
      if (kind === 0) characters.splice(at, 1)
      else characters.splice(at, kind - 1, one(letters))
    }
    return characters.join('')
  }

  const disguised = (text: string) =>
    text.replaceAll(/[a-z]/g, (letter) => (random() < 0.3 ? (LOOK_ALIKES[letter] ?? letter) : letter))

  /** `count` near-duplicates of one text, each with 1 to 15 % edits; every other wave also with letters that look like others. */
  function wave(count: number): string[] {
    // With edits, 40 characters remain.
    const template = `${text()} ${written(8)}`
    const isDisguised = below(2) === 0
    return many(count, () => {
      const member = edited(template, 0.01 + 0.14 * random())
      return isDisguised ? disguised(member) : member
    })
  }

  return { random, text, edited, wave }
}

const SYLLABLES =
  'ba be bo ca co da de di el en er es fa fi ga ge ha he in is ka ko la le li ma me mo na ne no or pa po ra re ri ro sa se so ta te ti to un ur va ve wa we'.split(
    ' ',
  )
const LOOK_ALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', k: 'к', o: 'о', p: 'р', s: 'ѕ' }
