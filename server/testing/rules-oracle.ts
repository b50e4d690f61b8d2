import { HOMOGLYPHS } from '#server/core/similarity/homoglyphs.ts'
import type { Author, Facts } from '#server/modules/rules/conditions/facts.ts'
import type { Condition, Leaf, Words } from '#server/modules/rules/conditions/schema.ts'

/** Whether an item meets a condition, said again in the plainest way: a regular expression for each word and spelling. */
export function isMetBy(condition: Condition, facts: Facts): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.every((inner) => isMetBy(inner, facts))
    case 'any':
      return condition.conditions.some((inner) => isMetBy(inner, facts))
    case 'not':
      return !isMetBy(condition.condition, facts)
    default:
      return isLeafMetBy(condition, facts)
  }
}

function isLeafMetBy(leaf: Leaf, facts: Facts): boolean {
  const written = facts.texts.map(({ text }) => text).join('\n')
  switch (leaf.kind) {
    case 'words':
      return facts.texts.some(({ text }) => leaf.words.some((word) => isWordIn(word, text, leaf)))
    case 'pattern':
      return facts.texts.some(({ text }) => new RegExp(leaf.pattern, leaf.isCaseSensitive ? 'u' : 'iu').test(text))
    case 'links':
      return domainsIn(written).length >= leaf.atLeast
    case 'domains':
      return domainsIn(written).some(
        (domain) => leaf.domains.some((listed) => `.${domain}`.endsWith(`.${listed}`)) === leaf.isListed,
      )
    case 'script': {
      const letters = lettersIn(written)
      const asked = letters.filter((letter) => leaf.scripts.some((script) => isIn(script, letter)))
      return letters.length > 0 && asked.length / letters.length >= leaf.shareAtLeast
    }
    case 'length': {
      const length = facts.texts.reduce((sum, { text }) => sum + Array.from(text).length, 0)
      return length >= (leaf.atLeast ?? 0) && length <= (leaf.atMost ?? length)
    }
    case 'capitals': {
      const withCase = lettersIn(written).filter((letter) => /[\p{Lu}\p{Ll}]/u.test(letter))
      const capitals = withCase.filter((letter) => /\p{Lu}/u.test(letter))
      return withCase.length >= leaf.letters && capitals.length >= leaf.shareAtLeast * withCase.length
    }
    default:
      return isFactLeafMetBy(leaf, facts)
  }
}

type TextLeaf = 'words' | 'pattern' | 'links' | 'domains' | 'script' | 'length' | 'capitals'

function isFactLeafMetBy(leaf: Exclude<Leaf, { kind: TextLeaf }>, facts: Facts): boolean {
  switch (leaf.kind) {
    case 'mentions':
      return facts.mentions >= leaf.atLeast
    case 'media':
      return facts.media.some((type) => leaf.types.includes(type))
    case 'rate': {
      const rate = facts.rates?.find(({ by, withinMinutes }) => by === leaf.by && withinMinutes === leaf.withinMinutes)
      return rate !== undefined && rate.count > leaf.moreThan
    }
    case 'similarity':
      return (facts.rejected ?? []).some(
        ({ withinDays, similarities }) =>
          withinDays === leaf.withinDays &&
          similarities.filter((one) => one >= leaf.similarAtLeast).length >= leaf.times,
      )
    case 'signal': {
      const score = facts.signals?.[leaf.name]
      return score !== undefined && score >= (leaf.atLeast ?? 0) && score <= (leaf.atMost ?? 1)
    }
    case 'language':
      throw new Error('what language a text is in is a matter of statistics')
    default:
      return facts.author !== undefined && isAuthorLeafMetBy(leaf, facts.author)
  }
}

type AuthorLeaf = Extract<Leaf, { kind: 'accountAge' | 'contributions' | 'decisions' | 'bans' | 'membership' }>

function isAuthorLeafMetBy(leaf: AuthorLeaf, author: Author): boolean {
  switch (leaf.kind) {
    case 'accountAge':
      return author.accountAgeDays < leaf.underDays
    case 'contributions':
      return author.contributions < leaf.fewerThan
    case 'decisions':
      return (leaf.outcome === 'approved' ? author.approved : author.rejected) >= leaf.atLeast
    case 'bans':
      return author.bans >= leaf.atLeast
    case 'membership':
      return leaf.is === 'member' ? author.membership !== 'notMember' : author.membership === leaf.is
  }
}

const lettersIn = (text: string) => [...text].filter((character) => /\p{L}/u.test(character))
const isIn = remembered((script, letter) => new RegExp(String.raw`\p{Script=${script}}`, 'u').test(letter))

/** Generated texts have addresses with a scheme only. */
function domainsIn(text: string): string[] {
  return [...text.matchAll(/https:\/\/([a-z0-9.-]+)/gi)].map(([, domain = '']) => domain.toLowerCase())
}

function isWordIn(word: string, text: string, { match, spelling }: Words): boolean {
  if (expressionOf(word, match, 'exact').test(plain(text))) return true
  if (spelling === 'exact' || !/^(?=.*\p{L})[\p{L}\p{M}\p{N} '’-]+$/u.test(word)) return false
  return [...'il'].some(
    (one) => expressionOf(word, match, 'similar').test(spelled(text, one)) || isSpacedIn(word, text, one),
  )
}

/** Letters written one by one may be several words: phrases are found among them, and words of four letters or more. */
function isSpacedIn(word: string, text: string, one: string): boolean {
  const letters = word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  if (!spelled(word, 'i').includes(' ') && spelled(letters, 'i').length < 4) return false
  const runs = separated(text).match(SPACED_LETTERS) ?? []
  return runs.some((run) => expressionOf(letters, 'part', 'similar').test(asLetters(run.replaceAll(' ', ''), one)))
}

const expressionOf = remembered((word: string, match: string, spelling: string) =>
  edges(match, spelling === 'exact' ? escaped(plain(word)) : stretchable(spelled(word, 'i'))),
)

/** The same for the same texts: most of the time went into saying it again. */
function remembered<Result>(find: (...texts: string[]) => Result): (...texts: string[]) => Result {
  const results = new Map<string, Result>()
  return (...texts) => {
    const key = texts.join('\0')
    const result = results.get(key) ?? find(...texts)
    if (results.size > 5_000) results.clear()
    results.set(key, result)
    return result
  }
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}`
const INSIDE = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`

/** A letter has all of its marks, and no edge of a whole word is between two characters of one word. */
function edges(match: string, pattern: string): RegExp {
  const cut = `(?<=${INSIDE})(?=${INSIDE})`
  const complete = String.raw`(?:${pattern})(?!\p{M})`
  return new RegExp(match === 'part' ? complete : `(?!${cut})${complete}(?!${cut})`, 'v')
}

const escaped = (text: string) =>
  text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

const plain = remembered((text: string) =>
  text
    .replace(/[\p{Cf}\u115f\u1160\u3164\uffa0\u0640]|[\u{1f3fb}-\u{1f3ff}]/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .replace(/[‘’ʼ´`＇]/g, "'")
    .replaceAll('ς', 'σ')
    .replace(/\s+/g, ' ')
    .trim(),
)

const SIGNS: Record<string, string> = {
  0: 'o',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '€': 'e',
}

/** Words of letters, digits and signs that stand for letters, with as many spaces between them as there were characters, at most four. */
const separated = remembered((text: string) =>
  plain(text)
    .replace(/[^\p{L}\p{M}\p{N}@$€!|]+/gu, (gap) => ' '.repeat(Math.min(gap.length, 4)))
    .replace(/(?<=[^ ])[!|]+(?= |$)|(?<= |^)[!|]+(?=[^ ])/gu, (signs) => ' '.repeat(signs.length)),
)

const SPACED_LETTERS = /(?<= |^)[^ ](?: {1,3}[^ ](?= |$)){2,}/gu

const spelled = remembered((text: string, one: string) =>
  separated(text)
    .replace(SPACED_LETTERS, (letters) => letters.replaceAll(' ', ''))
    .replace(/[^ ]+/g, (word) => asLetters(word, one))
    .replace(/ +/g, ' ')
    .trim(),
)

function asLetters(word: string, one: string): string {
  return /\p{L}/u.test(word) ? [...word].map((sign) => letter(sign, one)).join('') : word
}

function letter(sign: string, one: string): string {
  if ('1!|'.includes(sign)) return one
  const bare = sign
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return SIGNS[bare] ?? HOMOGLYPHS.get(bare) ?? bare
}

/** Each run of a letter as long as in the word; or three times or more, and longer. */
function stretchable(word: string): string {
  return word.replace(/(\p{L})\1*/gu, (run, letter: string) => {
    const [length] = [Array.from(run).length]
    return `(?<!${letter})(?:${letter}{${length}}|${letter}{${Math.max(3, length + 1)},})(?!${letter})`
  })
}
