import { RE2JS } from 're2js'
import type { Text } from '#server/modules/rules/conditions/facts.ts'
import { FOUND_AT_MOST, type Found } from '#server/modules/rules/conditions/found.ts'
import type { Pattern } from '#server/modules/rules/conditions/schema.ts'

/** Of each text, in UTF-16 units: matching takes up to the product of this and the size of the pattern. */
const MATCHED_LENGTH = 4_000
/** In instructions of RE2: counted repetitions are written out. */
const SIZE_AT_MOST = 200

/** Fails with a message for the author of the rule, where it isn't RE2's syntax, is too large, or matches an empty text. */
export function compilePattern({ pattern, isCaseSensitive }: Pattern): (texts: Text[]) => Found[] {
  const compiled = RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  if (compiled.programSize() > SIZE_AT_MOST) throw new Error('the pattern is too large')
  if (compiled.matches('')) throw new Error('the pattern matches an empty text')
  return (texts) => texts.flatMap(({ field, text }) => rangesOf(compiled, text).map((range) => ({ field, ...range })))
}

function rangesOf(pattern: RE2JS, text: string): { from: number; to: number }[] {
  const matcher = pattern.matcher(text.slice(0, MATCHED_LENGTH))
  const ranges = []
  while (ranges.length < FOUND_AT_MOST && matcher.find())
    if (matcher.end() > matcher.start()) ranges.push({ from: matcher.start(), to: matcher.end() })
  return ranges
}
