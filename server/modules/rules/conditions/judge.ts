import type { CompiledRules, Rule } from '#server/modules/rules/conditions/compile.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { type Reading, readItem } from '#server/modules/rules/conditions/reading.ts'

/** A rule whose conditions an item meets, and where. */
export interface FiredRule extends Pick<Rule, 'ruleId' | 'version'> {
  found: Found[]
}

/** A rule that threw, or took too long. */
export interface FailedRule extends Pick<Rule, 'ruleId' | 'version'> {
  reason: 'error' | 'slow'
  error?: unknown
}

export interface Verdict {
  /** In the order of the rules. */
  fired: FiredRule[]
  failed: FailedRule[]
}

/** The longest that one rule may take for one item, in milliseconds. */
const RULE_LIMIT_MS = 50
/** How often a rule is timed before it is called slow: first by the clock, then in processor time: waiting for the processor says nothing about a rule. */
const TIMINGS = 3

/**
 * What rules say of an item. A rule that throws doesn't fire, and doesn't stop the others; one that takes too long may fire. `onJudged` is
 * called with what each rule took, in milliseconds, without what all rules share.
 */
export function judge(
  { rules, wordIndex }: CompiledRules,
  facts: Facts,
  onJudged?: (ruleId: string, tookMs: number) => void,
): Verdict {
  const reading = readItem(facts, wordIndex)
  // What all rules share is no rule's time.
  reading.words()
  const verdict: Verdict = { fired: [], failed: [] }
  for (const { ruleId, version, test } of rules) {
    const startedAt = performance.now()
    let hasThrown = false
    try {
      const found = test(reading)
      if (found !== undefined) verdict.fired.push({ ruleId, version, found })
    } catch (error) {
      hasThrown = true
      verdict.failed.push({ ruleId, version, reason: 'error', error })
    }
    const tookMs = performance.now() - startedAt
    onJudged?.(ruleId, tookMs)
    if (tookMs > RULE_LIMIT_MS && !hasThrown && isSlowAgain(test, reading))
      verdict.failed.push({ ruleId, version, reason: 'slow' })
  }
  return verdict
}

function isSlowAgain(test: CompiledRules['rules'][number]['test'], reading: Reading): boolean {
  for (let timing = 1; timing < TIMINGS; timing++) {
    const before = process.threadCpuUsage()
    test(reading)
    const { user, system } = process.threadCpuUsage(before)
    if ((user + system) / 1_000 <= RULE_LIMIT_MS) return false
  }
  return true
}
