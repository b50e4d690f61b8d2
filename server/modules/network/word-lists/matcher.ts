import { foldPattern } from '#server/modules/network/word-lists/fold-pattern.ts'
import type { ListKind, NewRules } from '#server/modules/network/word-lists/schema.ts'

/**
 * The regular expression that PostgreSQL matches for a rule's pattern, ignoring case. Its regular expressions are automata: they take time
 * linear in the text, whatever the rule, where JavaScript's may never end.
 *
 * A blocked pattern is folded as the texts are that it is compared with.
 *
 * An allowed pattern matches the beginning of a link: from its host on, up to where a part of the link ends, so that `example\.com` allows
 * neither `evil.com/example.com` nor `example.com.evil.com`.
 */
export function matcherOf(
  list: ListKind,
  pattern: string,
  { isMatchExactWord }: Pick<NewRules, 'isMatchExactWord'>,
): string {
  if (list === 'allow')
    return String.raw`^(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?(?:${inPostgres(pattern)})(?:$|[/?#]|(?<=/))`
  const meant = inPostgres(foldPattern(pattern))
  return isMatchExactWord ? `${WORD_BEGINS}(?:${meant})${WORD_ENDS}` : `(?:${meant})`
}

/** Letters of scripts that put no spaces between words, where a word may begin and end anywhere: Thai to Khmer, kana and Han. */
const UNSPACED = String.raw`[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]`
/** Where a word begins: beside nothing of the same word. What isn't a letter, such as an emoji, is a word by itself. */
const WORD_BEGINS = String.raw`(?:(?<!\w)|(?!\w)|(?=${UNSPACED})|(?<=${UNSPACED}))`
const WORD_ENDS = String.raw`(?:(?!\w)|(?<!\w)|(?=${UNSPACED})|(?<=${UNSPACED}))`

/** PostgreSQL writes a word boundary as `\y`; its `\b` is a control character. */
function inPostgres(pattern: string): string {
  return pattern.replace(/\\(.)/gs, (written, letter: string) => EDGES[letter] ?? written)
}

const EDGES: Record<string, string> = { b: String.raw`\y`, B: String.raw`\Y` }
