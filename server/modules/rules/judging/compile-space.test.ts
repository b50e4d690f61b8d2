import { expect, test } from 'vitest'
import { PATTERNS_SIZE_AT_MOST } from '#server/modules/rules/conditions/pattern.ts'
import { CONDITION_LIMITS, type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'
import { compileSpace, type RunningRule } from '#server/modules/rules/judging/compile-space.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'
import { collectGarbage } from '#server/testing/collect-garbage.ts'

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

/** As many words as a rule may have with as many characters, and as large patterns, twice: of kinds that differ, so that each is compiled for itself. */
const DEAREST = [
  ...(['comment', 'post'] as const).map((kind) => {
    const { words, characters } = CONDITION_LIMITS
    const dear = Array.from({ length: words }, (_, number) => wordOf(number, characters / words))
    return ruleOf(kind, { kind: 'words', words: dear, match: 'part', spelling: 'similar' }, [kind, 'message'])
  }),
  ...Array.from({ length: 10 }, (_, index) =>
    ruleOf(`${index}`, { kind: 'pattern', pattern: 'x'.repeat(PATTERNS_SIZE_AT_MOST - 10) }, ['message']),
  ),
]

test('the dearest rules that a space may have are compiled in many short turns, and take less than 100 MB', async () => {
  await collectGarbage()
  const before = process.memoryUsage()
  let [turns, isDone] = [0, false]
  const countTurn = () => {
    turns += 1
    if (!isDone) setImmediate(countTurn)
  }
  countTurn()
  const compiled = await compileSpace(DEAREST)
  isDone = true
  await collectGarbage()
  const after = process.memoryUsage()
  expect(compiled.failed).toEqual([])
  expect(turns).toBeGreaterThan(200)
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(100_000_000)
})
