import { type Facts, JUDGED_LENGTH } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { findLinks, type Link } from '#server/modules/rules/conditions/links.ts'
import { type Marking, startMarking } from '#server/modules/rules/conditions/pattern.ts'
import type { Words } from '#server/modules/rules/conditions/schema.ts'
import type { WordIndex } from '#server/modules/rules/conditions/word-index.ts'

/** One item as all rules read it: what several conditions look at is found once, when the first one asks. */
export interface Reading extends Facts {
  links: () => Link[]
  words: () => ReadonlyMap<Words, Found[]>
  /** All texts, one after the other. */
  fullText: string
  /** Of all texts, in characters (code points): also what is beyond the part that is judged. */
  length: () => number
  marking: Marking
}

export function readItem(facts: Facts, wordIndex: WordIndex): Reading {
  const texts = facts.texts.map(({ field, text }) => ({ field, text: cut(text) }))
  return {
    ...facts,
    texts,
    links: once(() => findLinks(texts)),
    words: once(() => wordIndex.find(texts)),
    fullText: texts.map(({ text }) => text).join('\n'),
    length: once(() => facts.texts.reduce((sum, { text }) => sum + [...text].length, 0)),
    marking: startMarking(),
  }
}

/** The judged part of a text; it doesn't end in the middle of a character. */
const cut = (text: string) => text.slice(0, JUDGED_LENGTH).replace(/[\ud800-\udbff]$/, '')

function once<Value>(find: () => Value): () => Value {
  let found: { value: Value } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}
