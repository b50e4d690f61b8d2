import { domainToUnicode } from 'node:url'
import { isEnding } from '#server/core/links/endings.ts'
import { HOMOGLYPHS } from '#server/core/similarity/homoglyphs.ts'
import type { Author, Facts } from '#server/modules/rules/conditions/facts.ts'
import type { Condition, Leaf, Pattern, Words } from '#server/modules/rules/conditions/schema.ts'

/**
 * Whether an item meets a condition, read from docs/rules.md in the slowest and most obvious way: it shares no code with the judge, only the tables of
 * letters that look alike and of common endings. Words are compared letter by letter from each place of a text, and hosts are what `URL` says.
 */
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
  const texts = facts.texts.map(({ text }) => text)
  const letters = texts.flatMap((text) => text.match(/\p{L}/gu) ?? [])
  switch (leaf.kind) {
    case 'words':
      return texts.some((text) => leaf.words.some((word) => isWordIn(word, text, leaf)))
    case 'pattern':
      return facts.texts.some(({ field, text }) => isPatternIn(leaf, text.slice(0, field === 'title' ? 1_000 : 4_000)))
    case 'links':
      return texts.flatMap((text) => linksIn(text)).filter(({ isLink }) => isLink).length >= leaf.atLeast
    case 'domains':
      return texts
        .flatMap((text) => linksIn(text))
        .some(({ host, isLink }) =>
          leaf.isListed ? isOneOf(host, leaf.domains) : isLink && !isOneOf(host, leaf.domains),
        )
    case 'script':
      return (
        letters.length > 0 &&
        letters.filter((letter) => leaf.scripts.some((script) => isOfScript(script, letter))).length / letters.length >=
          leaf.shareAtLeast
      )
    case 'length': {
      const length = texts.reduce((sum, text) => sum + [...text].length, 0)
      return length >= (leaf.atLeast ?? 0) && length <= (leaf.atMost ?? Number.POSITIVE_INFINITY)
    }
    case 'capitals': {
      const cased = letters.filter((letter) => /\p{Lu}|\p{Ll}/u.test(letter))
      const capitals = cased.filter((letter) => /\p{Lu}/u.test(letter))
      return cased.length >= leaf.letters && capitals.length / cased.length >= leaf.shareAtLeast
    }
    case 'mentions':
      return facts.mentions >= leaf.atLeast
    case 'media':
      return facts.media.some((type) => leaf.types.includes(type))
    case 'rate':
      return (facts.rates ?? []).some(
        ({ by, withinMinutes, count }) =>
          by === leaf.by && withinMinutes === leaf.withinMinutes && count > leaf.moreThan,
      )
    case 'similarity':
      return (facts.rejected ?? [])
        .filter(({ withinDays }) => withinDays === leaf.withinDays)
        .some(
          ({ similarities }) =>
            similarities.filter((similarity) => similarity >= leaf.similarAtLeast).length >= leaf.times,
        )
    case 'signal': {
      const score = facts.signals?.[leaf.name]
      return score !== undefined && score >= (leaf.atLeast ?? 0) && score <= (leaf.atMost ?? 1)
    }
    case 'language':
      throw new Error('languages are only known from statistics')
    default:
      return facts.author !== undefined && isOf(facts.author, leaf)
  }
}

type AuthorLeaf = Extract<Leaf, { kind: 'accountAge' | 'contributions' | 'decisions' | 'bans' | 'membership' }>

function isOf(author: Author, leaf: AuthorLeaf): boolean {
  switch (leaf.kind) {
    case 'accountAge':
      return author.accountAgeDays < leaf.underDays
    case 'contributions':
      return author.contributions < leaf.fewerThan
    case 'decisions':
      return author[leaf.outcome] >= leaf.atLeast
    case 'bans':
      return author.bans >= leaf.atLeast
    case 'membership':
      return author.membership === leaf.is || (author.membership === 'moderator' && leaf.is === 'member')
  }
}

function isPatternIn({ pattern, isCaseSensitive }: Pattern, text: string): boolean {
  return new RegExp(pattern, isCaseSensitive ? 'u' : 'iu').test(text)
}

/** `read` with a memory of what it returned: most of the time went into reading the same text again. */
function remembered<Result>(read: (text: string, one: string) => Result): (text: string, one?: string) => Result {
  const results = new Map<string, Result>()
  return (text, one = '') => {
    const key = `${one}\0${text}`
    const result = results.get(key) ?? read(text, one)
    if (results.size > 1_000) results.clear()
    results.set(key, result)
    return result
  }
}

const isOfScript = remembered((script, letter) => new RegExp(`\\p{sc=${script}}`, 'u').test(letter))

// Words

const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
const WORDLIKE = /[\p{L}\p{M}\p{N}]/u

function isWordIn(word: string, text: string, { match, spelling }: Words): boolean {
  const isPart = match === 'part'
  if (isWithin([...sameLetters(word)], [...sameLetters(text)], isPart)) return true
  // A word with other signs has one spelling.
  if (spelling === 'exact' || !/\p{L}/u.test(word) || /[^\p{L}\p{M}\p{N} '’-]/u.test(word)) return false
  return ['i', 'l'].some((one) => isSpelledIn(word, text, one, isPart))
}

/** Without case, width, kinds of spaces and of apostrophes, and what nobody sees. */
const sameLetters = remembered((written) =>
  written
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640]/gu, '')
    // Normalized, an acute accent by itself would be a space with a mark.
    .replaceAll(/[‘’ʼ´`]/g, "'")
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('i\u0307', 'i')
    .replaceAll('ς', 'σ')
    .replaceAll(/[\s\p{Z}\p{Cc}]+/gu, ' ')
    .trim(),
)

/** At any place of the text, letter by letter: a letter with an accent is another one, and a whole word has no letters beside it. */
function isWithin(word: string[], text: string[], isPart: boolean): boolean {
  return text.some((_, from) => {
    const to = from + word.length
    const isThere = word.every((letter, at) => letter === text[from + at]) && !/^\p{M}/u.test(text[to] ?? '')
    return isThere && (isPart || (isBorder(text[from - 1], word[0]) && isBorder(word.at(-1), text[to])))
  })
}

function isBorder(left = ' ', right = ' '): boolean {
  return !WORDLIKE.test(left) || !WORDLIKE.test(right) || UNSPACED.test(left) || UNSPACED.test(right)
}

/** Without 1, ! and |, which stand for i or l, the same throughout a text. */
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

function plainLetter(sign: string, one: string): string {
  if ('1!|'.includes(sign)) return one
  const bare = sign
    .normalize('NFD')
    .replaceAll(/(?![\u3099\u309a])\p{sc=Inherited}/gu, '')
    .normalize('NFC')
  return SIGNS[bare] ?? HOMOGLYPHS.get(bare) ?? bare
}

/** A letter, as often as it was written in a row, or a space. */
interface Run {
  letter: string
  times: number
  /** Of the letters that were written one by one, which it is among. */
  row?: number
}

function isSpelledIn(word: string, text: string, one: string, isPart: boolean): boolean {
  const written = runsOf(text, one)
  const asked = runsOf(word, 'i')
  if (isRunWithin(asked, written, isPart, false)) return true
  const isPhrase = asked.some(({ letter }) => letter === ' ')
  const letters = runsOf(word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''), 'i')
  const length = letters.reduce((sum, { times }) => sum + times, 0)
  return (isPhrase || length >= 4) && isRunWithin(letters, written, true, true)
}

function isRunWithin(asked: Run[], written: Run[], isPart: boolean, isAmongSingles: boolean): boolean {
  return written.some((first, from) => {
    const to = from + asked.length
    const isThere = asked.every(({ letter, times }, at) => {
      const run = written[from + at]
      return run?.letter === letter && (run.times === times || (run.times >= 3 && run.times > times))
    })
    if (!isThere || /^\p{M}/u.test(written[to]?.letter ?? '')) return false
    if (isAmongSingles) return first.row !== undefined && first.row === written[to - 1]?.row
    return (
      isPart ||
      (isBorder(written[from - 1]?.letter, first.letter) && isBorder(written[to - 1]?.letter, written[to]?.letter))
    )
  })
}

/** The words of a text, with what they are meant to look like. */
const runsOf = remembered((text, one): Run[] => {
  const runs: Run[] = []
  for (const [row, word] of withSinglesJoined(wordsOf(sameLetters(text))).entries()) {
    if (runs.length > 0) runs.push({ letter: ' ', times: 1 })
    const isLetters = word.signs.some((sign) => /\p{L}/u.test(sign))
    const begin = runs.length
    for (const letter of word.signs.flatMap((sign) => [...(isLetters ? plainLetter(sign, one) : sign)])) {
      const last = runs.length > begin ? runs.at(-1) : undefined
      if (last?.letter === letter && /\p{L}/u.test(letter)) last.times += 1
      else runs.push({ letter, times: 1, ...(word.isRow && { row }) })
    }
  }
  return runs
})

/** Letters, digits, and signs that stand for letters, up to anything else; ! and | at an end belong to the sentence. */
function wordsOf(text: string): { word: string; at: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}@$€!|]+/gu)]
    .map(({ 0: token, index }) => {
      const word = token.length === 1 ? token : token.replace(/^[!|]+/, '')
      return { word: token.length === 1 ? word : word.replace(/[!|]+$/, ''), at: index + token.length - word.length }
    })
    .filter(({ word }) => word !== '')
}

/** Three or more single letters with up to three characters between them are one word. */
function withSinglesJoined(words: { word: string; at: number }[]): { signs: string[]; isRow: boolean }[] {
  const joined: { signs: string[]; isRow: boolean }[] = []
  let row: typeof words = []
  for (const [index, { word, at }] of words.entries()) {
    const isSingle = [...word].length === 1
    const next = words[index + 1]
    if (!isSingle) {
      joined.push({ signs: [...word], isRow: false })
      continue
    }
    row.push({ word, at })
    if (next !== undefined && [...next.word].length === 1 && next.at - at - word.length <= 3) continue
    if (row.length >= 3) joined.push({ signs: row.map((single) => single.word), isRow: true })
    else joined.push(...row.map((single) => ({ signs: [single.word], isRow: false })))
    row = []
  }
  return joined
}

// Links

const DOT = /[.。．｡]/
const known = new Map<string, boolean>()
/** What a browser leaves out of a host. */
function isUnseen(sign: string): boolean {
  if (!/^\p{Default_Ignorable_Code_Point}$/u.test(sign)) return false
  const isLeftOut = known.get(sign) ?? hostOf(`https://a${sign}b/`) === 'ab'
  known.set(sign, isLeftOut)
  return isLeftOut
}
/** A letter of a script with spaces between words. */
const isLetter = (sign: string | undefined) =>
  sign !== undefined && WORDLIKE.test(sign) && !UNSPACED.test(sign) && !/\p{sc=Hangul}/u.test(sign)

const isOneOf = (host: string, domains: string[]) =>
  domains.some((domain) => {
    const listed = hostOf(`https://${domain}/`) ?? domain
    return host === listed || host.endsWith(`.${listed}`)
  })

/** Where a link leads; what has no path and no common ending is a link only to those who ask for its domain. */
interface Link {
  host: string
  isLink: boolean
}

const linksIn = remembered((text) => {
  const links: Link[] = []
  let at = 0
  let opened = 0
  while (at < text.length) {
    // Of an address that no browser could open, what is a domain by itself remains.
    const address = at < opened ? undefined : addressAt(text, at)
    const link = address ?? domainAt(text, at)
    if (link?.host !== undefined) links.push(...linksOf(text, at, { ...link, host: link.host }))
    if (address !== undefined && address.host === undefined) {
      opened = address.to
      at = address.from
    } else at = link?.to ?? at + 1
  }
  return links
})

/** A closing bracket may end it, as in Markdown and BBCode; what a browser makes of the whole counts too, if that is a domain. */
function linksOf(text: string, at: number, { from, host, isLink, to }: Read & { host: string }): Link[] {
  const closing = from === at ? -1 : unopenedBracket(text, from, to)
  const inner = closing < 0 ? undefined : addressAt(text.slice(0, closing), at)?.host
  if (inner === undefined) return [{ host, isLink }]
  return [{ host: inner, isLink }, ...(host !== inner && host.includes('.') ? [{ host, isLink }] : [])]
}

/** In what a browser takes for a name before the host. */
function unopenedBracket(text: string, from: number, to: number): number {
  const end = from + (/^[^/\\?#]*@/.exec(text.slice(from, to))?.[0].length ?? 0)
  for (let at = from, open = 0; at < end; at += 1) {
    if (text[at] === '(' || text[at] === '[') open += 1
    if (text[at] === ')' || text[at] === ']') open -= 1
    if (open < 0) return at
  }
  return -1
}

interface Read {
  from: number
  host?: string | undefined
  isLink: boolean
  to: number
}

/** With a scheme, wherever that stands, or with two slashes that don't follow a letter. */
function addressAt(text: string, at: number): Read | undefined {
  const rest = text.slice(at)
  if (!/^[a-z/\\]/i.test(rest)) return undefined
  const scheme =
    /^(?:https?|ftp|wss?):[/\\]*/i.exec(rest)?.[0] ?? /^[a-z][a-z0-9+.-]{0,20}:\/\/(?![/\\])/i.exec(rest)?.[0]
  const slashes =
    isLetter(charBefore(text, at)) || /[/\\]/.test(charBefore(text, at))
      ? undefined
      : /^[/\\]{2}(?=[\p{L}\p{N}])/u.exec(rest)?.[0]
  const opening = scheme ?? slashes
  if (opening === undefined) return undefined
  const from = at + opening.length
  const authority = text.slice(from, endOf(text, from, /[/\\?#]|^(?:https?|ftp):[/\\]/i))
  const begin = from + authority.length
  const isNext =
    /^(?:https?|ftp):[/\\]/i.test(text.slice(begin)) ||
    (/^[/\\]{2}/.test(text.slice(begin)) && !isLetter(charBefore(text, begin)))
  const to = isNext ? begin : endOfPath(text, begin)
  const isNamed = (host: string) => /[.:]/.test(host) || /[/\\]{2}$/.test(scheme ?? '')
  const { host, length } = hostOfAddress(authority, to > begin, isNamed)
  return { from, host, isLink: true, to: length === undefined ? to : from + length }
}

/** Without a scheme: not within a name, a path or the address of a mailbox. */
function domainAt(text: string, at: number): Read | undefined {
  if (!isLetter(charAt(text, at))) return undefined
  const before = withoutLast(text.slice(Math.max(0, at - 100), at), (sign) => /[_-]/.test(sign) || isUnseen(sign))
  if (isLetter(charBefore(before, before.length)) || /[@%/\\]$|(?<!\.)\.$/.test(before)) return undefined
  const written = withoutLast(nameAt(text, at), (sign) => DOT.test(sign) || sign === '_' || isUnseen(sign))
  const end = at + written.length
  const host = isDomain(written) ? hostOf(`https://${written}/`) : undefined
  if (host === undefined) return undefined
  const rest = text.slice(end)
  const begin = end + (/^[\p{Default_Ignorable_Code_Point}_.]*(?::\d{1,5})?/u.exec(rest)?.[0].length ?? 0)
  const path = /[/\\?#]/.test(text.charAt(begin)) ? text.slice(begin, endOfPath(text, begin)) : ''
  const hasPath = withoutPunctuation(path).length > 1
  const isMailbox = text.charAt(end) === '@'
  const isLink = !isMailbox && (/^www\./i.test(host) || hasPath || isEnding(labelsOf(written).at(-1) ?? ''))
  return { from: at, host, isLink, to: path === '' ? end : begin + path.length }
}

function nameAt(text: string, at: number): string {
  const isPart = (sign: string) => isLetter(sign) || /[_-]/.test(sign) || isUnseen(sign) || DOT.test(sign)
  let to = at
  // No part of a name begins with a hyphen.
  const isOver = (at: number) => /^(?:https?|ftp):|^[.。．｡]-/i.test(text.slice(at, at + 6))
  while (to < text.length && isPart(charAt(text, to)) && !isOver(to)) to += charAt(text, to).length
  return text.slice(at, to)
}

const labelsOf = (written: string) =>
  [...written]
    .filter((sign) => !isUnseen(sign))
    .join('')
    .split(DOT)

function isDomain(written: string): boolean {
  const labels = labelsOf(written)
  const areNames = labels.every((label) => label !== '' && label.length <= 63 && !/^-|-$/.test(label))
  return labels.length > 1 && areNames && /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu.test(labels.at(-1) ?? '')
}

function withoutLast(text: string, isLeftOut: (sign: string) => boolean): string {
  const signs = [...text]
  return signs.slice(0, signs.findLastIndex((sign) => !isLeftOut(sign)) + 1).join('')
}

const charAt = (text: string, at: number) => (at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '')
const charBefore = (text: string, at: number) => [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''

/** To a space, a quotation mark, or what stands for the end. */
function endOf(text: string, from: number, end: RegExp): number {
  let to = from
  while (to < text.length && !/[\s<>"`\p{Cc}]/u.test(text.charAt(to)) && text.slice(to, to + 10).search(end) !== 0) to++
  return to
}

/** The next address begins only after a sign that separates the two. */
function endOfPath(text: string, from: number): number {
  let to = from
  while (to < text.length && !/[\s<>"`\p{Cc}]/u.test(text.charAt(to))) {
    if (to > from && /[^\w/\\?=&#%+.~:-]/.test(text.charAt(to)) && /^(?:https?|ftp):[/\\]/i.test(text.slice(to + 1)))
      break
    to++
  }
  return to
}

/** Without that of the sentence around it, and brackets that were opened there. */
function withoutPunctuation(written: string): string {
  let text = written
  for (;;) {
    const last = text.at(-1) ?? ''
    const opened = { ')': '(', ']': '[' }[last]
    const isUnopened = opened !== undefined && text.split(last).length > text.split(opened).length
    if (!isUnopened && !isUnseen(last) && !/[.,;:!?*_“”„‘’‚«»}…'。，！？、；：」』）》]/.test(last)) return text
    text = text.slice(0, -1)
  }
}

/** What a browser makes of an address without its scheme; if that is no name, of what stands before the first sign that no name has. */
function hostOfAddress(
  written: string,
  hasPath: boolean,
  isNamed: (host: string) => boolean,
): { host: string | undefined; length?: number } {
  const nameOf = (part: string) => {
    const host = hostOf(`https://${part}/`)
    return host !== undefined && isNamed(host) ? host : undefined
  }
  const authority = hasPath ? written : withoutPunctuation(written)
  const unspaced =
    /^.*?[.。．｡][a-z]{2,}(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Hangul}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}][^.。．｡]*$)/iu.exec(
      authority,
    )?.[0]
  if (unspaced !== undefined) return { host: nameOf(unspaced), length: unspaced.length }
  const whole = nameOf(authority)
  if (whole !== undefined) return { host: whole }
  for (const start of [authority.lastIndexOf('@') + 1, 0]) {
    const signs = [...authority.slice(start)]
    const end = signs.findIndex((sign) => !/[\p{L}\p{M}\p{N}\p{So}_.。．｡%-]/u.test(sign) && !isUnseen(sign))
    const part = signs.slice(0, end < 0 ? signs.length : end).join('')
    const host = nameOf(part)
    if (host !== undefined) return { host, length: start + part.length }
  }
  return { host: undefined }
}

function hostOf(address: string): string | undefined {
  const host = URL.parse(address)?.hostname.replace(/\.$/, '')
  const isName = host !== undefined && /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[\da-f:.]+\])$/.test(host)
  return isName && !/[\p{P}--[\-_.\[\]·・׳״:]]/v.test(domainToUnicode(host)) ? host : undefined
}
