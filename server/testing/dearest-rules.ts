import { PATTERNS_SIZE_AT_MOST } from '#server/modules/rules/conditions/pattern.ts'
import { CONDITION_LIMITS, type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'
import type { RunningRule } from '#server/modules/rules/judging/compile-space.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'

/** Letters that seldom repeat, so that words have few beginnings in common; two by two, so that each word is also looked for without spaces. */
function wordOf(number: number, length: number): string {
  let state = number + 1
  const letters = Array.from({ length }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647
    return at % 3 === 2 ? ' ' : String.fromCharCode(97 + (state % 26))
  })
  return letters.join('').trim()
}

const ruleOf = (ruleId: string, condition: unknown, kinds: RuleKind[]): RunningRule => ({
  ruleId,
  version: 1,
  communityId: 'here',
  state: 'shadow',
  kinds,
  condition: Conditions.parse(condition) as Condition,
  action: { type: 'hold', severity: 'medium' } as RunningRule['action'],
})

/**
 * What costs most of all that a space may have: as many words with as many characters, and as large patterns. The words are of two rules, for
 * kinds that differ, so that each is compiled for itself.
 */
export const DEAREST_RULES: RunningRule[] = [
  ...(['comment', 'post'] as const).map((kind) => {
    const { words, characters } = CONDITION_LIMITS
    const dear = Array.from({ length: words }, (_, number) => wordOf(number, characters / words))
    return ruleOf(kind, { kind: 'words', words: dear, match: 'part', spelling: 'similar' }, [kind, 'message'])
  }),
  ...Array.from({ length: 10 }, (_, index) =>
    ruleOf(`${index}`, { kind: 'pattern', pattern: 'x'.repeat(PATTERNS_SIZE_AT_MOST - 10) }, ['message']),
  ),
]
