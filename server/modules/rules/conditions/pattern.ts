import { RE2JS } from 're2js'
import type { Text } from '#server/modules/rules/conditions/facts.ts'
import { FOUND_AT_MOST, type Found } from '#server/modules/rules/conditions/found.ts'
import { type Condition, leavesOf, type Pattern } from '#server/modules/rules/conditions/schema.ts'
import { RULE_PROBLEMS } from '#server/modules/rules/problems/schema.ts'

/** How much of a text a pattern sees, in UTF-16 units: looking for one match takes up to the product of this and the pattern's size. */
const MATCHED_LENGTH: Record<Text['field'], number> = { title: 1_000, text: 4_000 }
/** The most that the patterns of a rule have together, in instructions of RE2: counted repetitions are written out. */
export const PATTERNS_SIZE_AT_MOST = 200
/**
 * What RE2 may keep of a pattern's automaton between texts, in bytes for each instruction: its own limit is 8 MB a pattern, and rules may have thousands.
 * Without room for more it goes on without the automaton, more slowly, but still in linear time.
 */
export const AUTOMATON_BYTES = 16_000
/** How long all patterns together may go on looking in one item where they match again. */
const MARKING_MS = 5

/** What is left of the time for finding where patterns match again; whether they match at all doesn't depend on it. */
export interface Marking {
  leftMs: number
}

export const startMarking = (): Marking => ({ leftMs: MARKING_MS })

/** Fails with a message for the author of the rule, where it isn't RE2's syntax, is too large, or can match nothing at all. */
export function compilePattern(leaf: Pattern): (texts: Text[], marking: Marking) => Found[] {
  const compiled = compile(leaf)
  if (compiled.programSize() > PATTERNS_SIZE_AT_MOST) throw new Error(RULE_PROBLEMS.patternTooLarge)
  if (canBeEmpty(leaf)) throw new Error(RULE_PROBLEMS.patternMatchesEmpty)
  const { dfa } = compiled.re2Input
  dfa.stateBudget = AUTOMATON_BYTES * compiled.programSize()
  dfa.memBudget = dfa.stateBudget
  return (texts, marking) =>
    texts.flatMap(({ field, text }) =>
      findRanges(compiled, text.slice(0, MATCHED_LENGTH[field]), marking).map((range) => ({ field, ...range })),
    )
}

/** The size of all patterns of a condition together. */
export function sizeOfPatterns(condition: Condition): number {
  return leavesOf(condition).reduce((sum, leaf) => sum + (leaf.kind === 'pattern' ? sizeOfPattern(leaf) : 0), 0)
}

/** 0 for one that can't be compiled. */
export function sizeOfPattern(leaf: Pattern): number {
  try {
    return compile(leaf).programSize()
  } catch {
    return 0
  }
}

function compile({ pattern, isCaseSensitive }: Pattern): RE2JS {
  return RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
}

const CHARACTERS = ['a', ' ', '\n']

/**
 * Whether it can match between two characters, or at either end, as `\b` does. There may be such matches beside each character of a text, and
 * each is found only after a look at the rest of the text: together they take its length squared.
 */
function canBeEmpty({ pattern, ...leaf }: Pattern): boolean {
  const beside = (any: string) => (any === '' ? [''] : CHARACTERS)
  return ['', '.'].some((before) =>
    ['', '.'].some((after) => {
      const surrounded = compile({ ...leaf, pattern: `(?s:${before})(?:${pattern})(?s:${after})` })
      return beside(before).some((left) => beside(after).some((right) => surrounded.matches(left + right)))
    }),
  )
}

/** The first place, and more of them as long as there is time for another look as long as the longest. */
function findRanges(pattern: RE2JS, text: string, marking: Marking): { from: number; to: number }[] {
  const matcher = pattern.matcher(text)
  const ranges: { from: number; to: number }[] = []
  let longestMs = 0
  do {
    const startedAt = performance.now()
    const isFound = matcher.find()
    const tookMs = performance.now() - startedAt
    if (ranges.length > 0) marking.leftMs -= tookMs
    if (!isFound) break
    ranges.push({ from: matcher.start(), to: matcher.end() })
    longestMs = Math.max(longestMs, tookMs)
  } while (ranges.length < FOUND_AT_MOST && longestMs < marking.leftMs)
  return ranges
}
