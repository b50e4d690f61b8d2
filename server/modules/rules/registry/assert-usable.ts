import { DomainError } from '#server/core/errors.ts'
import { compileLeaf } from '#server/modules/rules/conditions/compile-leaf.ts'
import { PATTERNS_SIZE_AT_MOST, sizeOfPattern } from '#server/modules/rules/conditions/pattern.ts'
import type { Condition, Leaf } from '#server/modules/rules/conditions/schema.ts'
import { RULE_PROBLEMS } from '#server/modules/rules/problems/schema.ts'

/** Fails with INVALID_PARAMETERS for conditions with a pattern that can't be used, or with patterns that are too large together; says which. */
export async function assertUsable(condition: Condition): Promise<void> {
  const leaves = leavesAt(condition, 'condition')
  const tooLarge = findTooLarge(leaves)
  const detail = tooLarge === undefined ? await findUnusable(leaves) : [tooLarge]
  if (detail.length > 0) throw new DomainError('INVALID_PARAMETERS', { detail })
}

interface PlacedLeaf {
  leaf: Leaf
  path: string
}

/** Looks no further than to the first: to compile patterns, and to check that they match something, takes as long as they are large. */
function findTooLarge(leaves: PlacedLeaf[]): string | undefined {
  let sum = 0
  for (const { leaf, path } of leaves) {
    if (leaf.kind !== 'pattern') continue
    const size = sizeOfPattern(leaf)
    sum += size
    if (size > PATTERNS_SIZE_AT_MOST) return `${path}: ${RULE_PROBLEMS.patternTooLarge}`
    if (sum > PATTERNS_SIZE_AT_MOST) return `condition: ${RULE_PROBLEMS.patternsTooLarge}`
  }
  return undefined
}

async function findUnusable(leaves: PlacedLeaf[]): Promise<string[]> {
  const problems: string[] = []
  for (const { leaf, path } of leaves)
    await compileLeaf(leaf, 'community').catch((error: Error) => problems.push(`${path}: ${error.message}`))
  return problems
}

/** The conditions that are not combinations of others, with their paths in the input. */
function leavesAt(condition: Condition, path: string): PlacedLeaf[] {
  if (condition.kind === 'not') return leavesAt(condition.condition, `${path}.condition`)
  if (condition.kind !== 'all' && condition.kind !== 'any') return [{ leaf: condition, path }]
  return condition.conditions.flatMap((inner, index) => leavesAt(inner, `${path}.conditions[${index}]`))
}
