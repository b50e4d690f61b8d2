const WORD = /^[\p{L}\p{M}\p{N}]$/u
/** Scripts written without spaces between words. */
const UNSPACED =
  /^[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Thai}\p{Script_Extensions=Lao}\p{Script_Extensions=Khmer}\p{Script_Extensions=Myanmar}]$/u

/** Whether nothing of a word is cut off at either end of a range of a text. Where words have no spaces between them, any range is whole. */
export function isWholeWord(text: string, from: number, to: number): boolean {
  return !isWithinWord(text, from) && !isWithinWord(text, to)
}

function isWithinWord(text: string, at: number): boolean {
  const [before, after] = [characterBefore(text, at), String.fromCodePoint(text.codePointAt(at) ?? 0)]
  return WORD.test(before) && WORD.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)
}

function characterBefore(text: string, at: number): string {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 2, at))
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at)
}
