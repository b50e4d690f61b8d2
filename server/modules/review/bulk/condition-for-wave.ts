import { setImmediate } from 'node:timers/promises'
import { fold } from '#server/core/folding/fold.ts'
import { findLinks, withoutWww } from '#server/core/links/find-links.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { foldSpelling } from '#server/modules/rules/conditions/fold-spelling.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'

/** Texts that share nothing are divided into at most so many groups that do: with their phrases and domains, fewer conditions than a rule may have. */
const MOST_GROUPS = 12
const MOST_PHRASES = 3
const PHRASE_LENGTH = 100
/** More domains are invented, one for each text. */
const MOST_DOMAINS = 24
/** Shorter words say too little. */
const WORD_LENGTH = 4
/** So many letters that texts share aren't shared by chance: in one phrase, or in all. */
const NARROW = { phrase: 12, all: 20 }
/** Letters, digits and signs that stand for letters, as rules read words. */
const WORD = /[\p{L}\p{M}\p{N}@$€!|]+/gu
const ENDS = /^[@$€!|]+|[@$€!|]+$/g
/** Where a link was: no phrase goes over it. */
const BREAK = '\n'
const TEXTS_A_TURN = 100

interface ReadText {
  words: Word[]
  /** The keys of its words, with a space around each. */
  said: string
  keys: ReadonlySet<string>
  domains: string[]
}

interface Word {
  written: string
  /** As rules compare it; BREAK for a link. */
  key: string
}

/** Some of the words of a text: from this place up to that one. */
interface Run {
  from: number
  to: number
}

/**
 * Conditions that find all of these texts and as little else as their words and links allow: the phrases that all have, and one of their domains. Texts
 * that share too little are divided by a word. Undefined if they share nothing. What can't be covered isn't found, and a test of the rule says so.
 */
export async function conditionForWave(texts: string[]): Promise<Condition | undefined> {
  const keys = new Map<string, string>()
  const read = await mapInTurns(texts, (text) => readText(text, keys))
  const groups = await cover(read, MOST_GROUPS)
  // What few texts share by chance, many others have too.
  const isAnyNarrow = groups.some(({ isNarrow }) => isNarrow)
  const conditions = groups.filter(({ isNarrow }) => isNarrow || !isAnyNarrow).map(({ condition }) => condition)
  const [only] = conditions
  return only === undefined || conditions.length === 1 ? only : { kind: 'any', conditions }
}

function readText(text: string, known: Map<string, string>): ReadText {
  const links = findLinks(text).filter(({ form }) => form !== 'maybe')
  const parts = [
    ...links.map(({ from }, at) => text.slice(links[at - 1]?.to ?? 0, from)),
    text.slice(links.at(-1)?.to ?? 0),
  ]
  const words = parts.flatMap((part, at) => [...(at > 0 ? [{ written: '', key: BREAK }] : []), ...wordsOf(part, known)])
  return {
    words,
    said: ` ${words.map(({ key }) => key).join(' ')} `,
    keys: new Set(words.map(({ key }) => key)),
    domains: [...new Set(links.map(({ domain }) => withoutWww(domain)))],
  }
}

function wordsOf(text: string, known: Map<string, string>): Word[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const written = word.replace(ENDS, '')
    const key = known.get(written) ?? foldSpelling(fold(written), 'i').text.trim()
    known.set(written, key)
    return key === '' ? [] : [{ written, key }]
  })
}

interface Shared {
  condition: Condition
  isNarrow: boolean
}

/** For each group of the texts what it shares, in at most so many groups. */
async function cover(texts: ReadText[], groups: number): Promise<Shared[]> {
  const shared = await sharedBy(texts)
  const word = shared?.isNarrow || groups === 1 ? undefined : dividingWord(texts)
  if (word === undefined) return shared ? [shared] : []
  const first = await cover(
    texts.filter(({ keys }) => keys.has(word)),
    groups - 1,
  )
  const rest = texts.filter(({ keys }) => !keys.has(word))
  return [...first, ...(await cover(rest, Math.max(1, groups - first.length)))]
}

async function sharedBy(texts: ReadText[]): Promise<Shared | undefined> {
  const phrases = await sharedPhrases(texts)
  const domains = sharedDomains(texts)
  const conditions: Condition[] = [
    ...(domains.length > 0 ? [{ kind: 'domains' as const, domains, isListed: true }] : []),
    ...phrases.map(({ text }) => ({
      kind: 'words' as const,
      words: [text],
      match: 'word' as const,
      spelling: 'similar' as const,
    })),
  ]
  const [only] = conditions
  if (only === undefined) return undefined
  const lengths = phrases.map(({ length }) => length)
  const isLong =
    Math.max(0, ...lengths) >= NARROW.phrase || lengths.reduce((sum, length) => sum + length, 0) >= NARROW.all
  return {
    condition: conditions.length === 1 ? only : { kind: 'all', conditions },
    isNarrow: isLong || (domains.length > 0 && phrases.length > 0),
  }
}

/** Domains, of which each text links to at least one. */
function sharedDomains(texts: ReadText[]): string[] {
  const domains = new Set(texts.flatMap((text) => text.domains))
  return texts.every((text) => text.domains.length > 0) && domains.size <= MOST_DOMAINS ? [...domains].sort() : []
}

/** The longest phrases that all texts have, in the order of the shortest one. */
async function sharedPhrases(texts: ReadText[]): Promise<Phrase[]> {
  const [base = undefined] = texts.toSorted((one, other) => one.words.length - other.words.length)
  if (base === undefined) return []
  const { words } = base
  let runs = withinBreaks(words)
  for (const [index, { said }] of texts.entries()) {
    if (index % TEXTS_A_TURN === TEXTS_A_TURN - 1) await setImmediate()
    runs = runs.flatMap((run) => partsIn(said, words, run))
  }
  const known = new Map(runs.map((run) => cut(words, run)).map((phrase) => [phrase.key, phrase]))
  const phrases = [...known.values()].filter(({ length }) => length >= WORD_LENGTH)
  const longest = phrases.toSorted((one, other) => other.length - one.length).slice(0, MOST_PHRASES)
  return phrases.filter((phrase) => longest.includes(phrase))
}

function withinBreaks(words: Word[]): Run[] {
  const breaks = [-1, ...words.flatMap(({ key }, at) => (key === BREAK ? [at] : [])), words.length]
  return breaks.slice(1).map((to, at) => ({ from: (breaks[at] ?? -1) + 1, to }))
}

const isSaid = (said: string, words: Word[], { from, to }: Run) =>
  said.includes(
    ` ${words
      .slice(from, to)
      .map(({ key }) => key)
      .join(' ')} `,
  )

/** The longest parts of a run that a text has, from left to right. */
function partsIn(said: string, words: Word[], run: Run): Run[] {
  if (run.from === run.to || isSaid(said, words, run)) return [run]
  const parts: Run[] = []
  let { from } = run
  while (from < run.to) {
    let to = from
    while (to < run.to && isSaid(said, words, { from, to: to + 1 })) to += 1
    if (to > from) parts.push({ from, to })
    from = Math.max(to, from + 1)
  }
  return parts
}

interface Phrase {
  text: string
  key: string
  /** Letters and digits. */
  length: number
}

/** What a condition can look for of a run: as many words as fit. */
function cut(words: Word[], { from, to }: Run): Phrase {
  let part = words.slice(from, to)
  const textOf = () => part.map(({ written }) => written).join(' ')
  while (part.length > 0 && textOf().length > PHRASE_LENGTH) part = part.slice(0, -1)
  const keys = part.map(({ key }) => key)
  return { text: textOf(), key: keys.join(' '), length: keys.join('').length }
}

/** The word that most of the texts have, but not all of them. */
function dividingWord(texts: ReadText[]): string | undefined {
  const counts = new Map<string, number>()
  for (const key of texts.flatMap(({ keys }) => [...keys])) counts.set(key, (counts.get(key) ?? 0) + 1)
  const [word] = [...counts]
    .filter(([key, count]) => key.length >= WORD_LENGTH && count < texts.length && count > 1)
    .sort(([one, many], [other, more]) => more - many || other.length - one.length || (one < other ? -1 : 1))
  return word?.[0]
}
