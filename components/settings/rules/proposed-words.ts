import { splitLinks } from '#components/ui/split-links.ts'
import { type GroupDraft, isGroup, type LeafDraft, newGroup, newLeaf } from './condition-draft.ts'
import { linesOf } from './condition-fields.ts'

/** A phrase of a condition has at most so many characters. */
const PHRASE_LENGTH = 100
/** Shorter words say too little. */
const WORD_LENGTH = 4
const WORDS_PROPOSED = 24

/** What a rule made from a text starts with: its links' domains; without links, a short text as it is, unless it is one of several. */
export function proposeConditions(text: string, { isPhrase = true } = {}): GroupDraft {
  const domains = domainsOf(text)
  if (domains.length > 0) return newGroup('any', [withLines(newLeaf('domains'), domains)])
  const phrase = text.trim().replaceAll(/\s+/gu, ' ')
  return newGroup(
    'any',
    isPhrase && phrase !== '' && phrase.length <= PHRASE_LENGTH ? [withLines(newLeaf('words'), [phrase])] : [],
  )
}

/** The words of a text that a rule may look for, in their order. */
export function proposeWords(text: string): string[] {
  const prose = splitLinks(text)
    .filter(({ href }) => href === undefined)
    .map((part) => part.text)
    .join(' ')
  const words = (prose.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length >= WORD_LENGTH)
  return [...new Set(words)].slice(0, WORDS_PROPOSED)
}

function domainsOf(text: string): string[] {
  const domains = splitLinks(text).flatMap(({ href }) => (href ? new URL(href).hostname.replace(/^www\./, '') : []))
  return [...new Set(domains)]
}

/** The words that the first condition on words of the outermost group looks for. */
export function chosenWords(root: GroupDraft): string[] {
  return linesOf(wordsIn(root)?.values.words ?? '')
}

/** Adds a word to that condition, or removes it; the condition is added with its first word, and removed with its last. */
export function toggleWord(root: GroupDraft, word: string): GroupDraft {
  const leaf = wordsIn(root)
  if (!leaf) return { ...root, parts: [...root.parts, withLines(newLeaf('words'), [word])] }
  const words = chosenWords(root)
  const next = words.includes(word) ? words.filter((one) => one !== word) : [...words, word]
  const replaced = next.length > 0 ? withLines(leaf, next) : []
  const parts = root.parts.flatMap((part) => (part === leaf ? replaced : part))
  return { ...root, parts }
}

const wordsIn = (root: GroupDraft) =>
  root.parts.find((part): part is LeafDraft => !isGroup(part) && part.kind === 'words')

function withLines(leaf: LeafDraft, lines: string[]): LeafDraft {
  return { ...leaf, values: { ...leaf.values, [leaf.kind]: lines.join('\n') } }
}
