import { findLinks, withoutWww } from '#server/core/links/find-links.ts'
import { type GroupDraft, isGroup, type LeafDraft, newGroup, newLeaf, type PartDraft } from './condition-draft.ts'
import { linesOf } from './condition-fields.ts'

/** A phrase of a condition has at most so many characters. */
const PHRASE_LENGTH = 100
/** Shorter words say too little. */
const WORD_LENGTH = 4
const WORDS_PROPOSED = 24
/**
 * What a rule made from a text starts with, which finds that text and nothing broader: the beginning of its longest stretch without links, and the
 * domains of these, together.
 */
export function proposeConditions(text: string): GroupDraft {
  const domains = domainsOf(text)
  const phrase = longestPhrase(text)
  return newGroup(domains.length > 0 ? 'all' : 'any', [
    ...(domains.length > 0 ? [withLines(newLeaf('domains'), domains)] : []),
    ...(phrase === undefined ? [] : [withLines(newLeaf('words'), [phrase])]),
  ])
}

function longestPhrase(text: string): string | undefined {
  const stretches = proseOf(text).map((part) => wholeWords(part.trim().replaceAll(/\s+/gu, ' ')))
  const longest = stretches.reduce((one, other) => (other.length > one.length ? other : one), '')
  return /[\p{L}\p{N}]/u.test(longest) ? longest : undefined
}

/** As much of a text as fits, up to the end of a word. */
function wholeWords(text: string): string {
  if (text.length <= PHRASE_LENGTH) return text
  const cut = text.slice(0, PHRASE_LENGTH + 1)
  const end = cut.lastIndexOf(' ')
  return end > 0 ? cut.slice(0, end) : text.slice(0, PHRASE_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
}

/** The words of a text that a rule may look for, in their order. */
export function proposeWords(text: string): string[] {
  const words = (
    proseOf(text)
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).filter((word) => word.length >= WORD_LENGTH)
  return [...new Set(words)].slice(0, WORDS_PROPOSED)
}

/** What is before, between and after its links. */
function proseOf(text: string): string[] {
  let from = 0
  const prose = linksIn(text).map((link) => {
    const before = text.slice(from, link.from)
    from = link.to
    return before
  })
  return [...prose, text.slice(from)]
}

const domainsOf = (text: string) => [...new Set(linksIn(text).map(({ domain }) => withoutWww(domain)))]

/** As rules find them, without what only could be a domain. */
const linksIn = (text: string) => findLinks(text).filter(({ form }) => form !== 'maybe')

/** The words that conditions of the outermost group look for. */
export function chosenWords(root: GroupDraft): string[] {
  return root.parts.filter(isOnWords).flatMap(linesIn)
}

/**
 * Adds a word to the outermost group, or removes it. If all of the group must be there, each word is a condition of its own; if one is enough, words
 * are lines of one condition.
 */
export function toggleWord(root: GroupDraft, word: string): GroupDraft {
  const holder = root.parts.filter(isOnWords).find((part) => linesIn(part).includes(word))
  const shared = root.of === 'any' ? root.parts.find(isOnWords) : undefined
  const leaf = holder ?? shared
  if (!leaf) return { ...root, parts: [...root.parts, withLines(newLeaf('words'), [word])] }
  const lines = linesIn(leaf)
  const next = holder ? lines.filter((one) => one !== word) : [...lines, word]
  const replaced = next.length > 0 ? withLines(leaf, next) : []
  return { ...root, parts: root.parts.flatMap((part) => (part === leaf ? replaced : part)) }
}

const isOnWords = (part: PartDraft): part is LeafDraft => !isGroup(part) && !part.isNot && part.kind === 'words'
const linesIn = (leaf: LeafDraft) => linesOf(leaf.values.words ?? '')

function withLines(leaf: LeafDraft, lines: string[]): LeafDraft {
  return { ...leaf, values: { ...leaf.values, [leaf.kind]: lines.join('\n') } }
}
