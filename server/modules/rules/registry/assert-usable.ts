import { DomainError } from '#server/core/errors.ts'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { NeededFacts } from '#server/modules/rules/conditions/facts.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'

/** Fails with INVALID_PARAMETERS for conditions with a pattern that can't be used, or on facts that nothing provides. */
export async function assertUsable(condition: Condition): Promise<void> {
  const problem = await compileRules([{ ruleId: '', version: 1, condition }]).then(
    ({ needed }) => unknownFactOf(needed),
    (error: Error) => error.message,
  )
  if (problem !== undefined) throw new DomainError('INVALID_PARAMETERS', { detail: [`condition: ${problem}`] })
}

function unknownFactOf({ similarity, signals, rates }: NeededFacts): string | undefined {
  if (similarity) return "similarity isn't known yet"
  if (signals.length > 0) return "signals aren't known when content is written"
  return rates.some(({ by }) => by === 'link') ? "how often a link was written isn't known yet" : undefined
}
