import type { ListKind, NewRules } from '#server/modules/network/word-lists/schema.ts'

/**
 * The regular expression that PostgreSQL matches for a rule's pattern, ignoring case. Its regular expressions are automata: they take time
 * linear in the text, whatever the rule, where JavaScript's may never end.
 *
 * An allowed pattern matches the beginning of a link: from its host on, up to where a part of the link ends, so that `example\.com` allows
 * neither `evil.com/example.com` nor `example.com.evil.com`.
 */
export function matcherOf(
  list: ListKind,
  pattern: string,
  { isMatchExactWord }: Pick<NewRules, 'isMatchExactWord'>,
): string {
  const meant = inPostgres(pattern)
  if (list === 'allow') return String.raw`^(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?(?:${meant})(?:$|[/?#]|(?<=/))`
  return isMatchExactWord ? String.raw`\m(?:${meant})\M` : `(?:${meant})`
}

/** PostgreSQL writes a word boundary as `\y`; its `\b` is a control character. */
function inPostgres(pattern: string): string {
  return pattern.replace(/\\(.)/gs, (written, letter: string) => EDGES[letter] ?? written)
}

const EDGES: Record<string, string> = { b: String.raw`\y`, B: String.raw`\Y` }
