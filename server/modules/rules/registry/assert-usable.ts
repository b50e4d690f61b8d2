import { DomainError } from '#server/core/errors.ts'
import { compileLeaf } from '#server/modules/rules/conditions/compile-leaf.ts'
import { PATTERNS_SIZE_AT_MOST, sizeOfPatterns } from '#server/modules/rules/conditions/pattern.ts'
import type { Condition, Leaf } from '#server/modules/rules/conditions/schema.ts'

/** Fails with INVALID_PARAMETERS for conditions with a pattern that can't be used, or with patterns that are too large together; says which. */
export async function assertUsable(condition: Condition): Promise<void> {
  const checked = leavesAt(condition, 'condition').map(({ leaf, path }) =>
    compileLeaf(leaf, 'community').then(
      () => [],
      (error: Error) => [`${path}: ${error.message}`],
    ),
  )
  const detail = (await Promise.all(checked)).flat()
  if (detail.length === 0 && sizeOfPatterns(condition) > PATTERNS_SIZE_AT_MOST)
    detail.push('condition: its patterns are too large together')
  if (detail.length > 0) throw new DomainError('INVALID_PARAMETERS', { detail })
}

/** The conditions that are not combinations of others, with their paths in the input. */
function leavesAt(condition: Condition, path: string): { leaf: Leaf; path: string }[] {
  if (condition.kind === 'not') return leavesAt(condition.condition, `${path}.condition`)
  if (condition.kind !== 'all' && condition.kind !== 'any') return [{ leaf: condition, path }]
  return condition.conditions.flatMap((inner, index) => leavesAt(inner, `${path}.conditions[${index}]`))
}
