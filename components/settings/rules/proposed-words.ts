import { findLinks, withoutWww } from '#server/core/links/find-links.ts'
import { type GroupDraft, isGroup, type LeafDraft, newGroup, newLeaf, type PartDraft } from './condition-draft.ts'
import { linesOf } from './condition-fields.ts'

/** A phrase of a condition has at most so many characters. */
const PHRASE_LENGTH = 100
/** Shorter words say too little. */
const WORD_LENGTH = 4
const WORDS_PROPOSED = 24
/** With how many words of a wave its rule starts: each is missing in some texts, so that more together would miss many. */
const WORDS_OF_WAVE = 3

/** What a rule made from a text starts with: its links' domains; without links, a short text as it is. */
export function proposeConditions(text: string): GroupDraft {
  const domains = domainsOf(text)
  if (domains.length > 0) return newGroup('any', [withLines(newLeaf('domains'), domains)])
  const phrase = text.trim().replaceAll(/\s+/gu, ' ')
  return newGroup('any', phrase !== '' && phrase.length <= PHRASE_LENGTH ? [withLines(newLeaf('words'), [phrase])] : [])
}

/** What a rule made from a wave starts with: one of its domains and its longest words, together. */
export function proposeForWave({ words, domains }: { words: string[]; domains: string[] }): GroupDraft {
  const longest = words.toSorted((one, other) => other.length - one.length).slice(0, WORDS_OF_WAVE)
  const start = newGroup('all', domains.length > 0 ? [withLines(newLeaf('domains'), domains)] : [])
  return words.filter((word) => longest.includes(word)).reduce(toggleWord, start)
}

/** The words of a text that a rule may look for, in their order. */
export function proposeWords(text: string): string[] {
  const words = (
    withoutLinks(text)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).filter((word) => word.length >= WORD_LENGTH)
  return [...new Set(words)].slice(0, WORDS_PROPOSED)
}

function withoutLinks(text: string): string {
  let from = 0
  const prose = linksIn(text).map((link) => {
    const before = text.slice(from, link.from)
    from = link.to
    return before
  })
  return [...prose, text.slice(from)].join(' ')
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
