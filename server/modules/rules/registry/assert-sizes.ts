import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { PATTERNS_SIZE_AT_MOST, sizeOfPatterns } from '#server/modules/rules/conditions/pattern.ts'
import { CONDITION_LIMITS, type Condition, countWords } from '#server/modules/rules/conditions/schema.ts'
import { RULE_PROBLEMS } from '#server/modules/rules/problems/schema.ts'
import type { LockedRule } from '#server/modules/rules/registry/lock-rule.ts'

/** The most words and domains of all rules of a space that are in shadow or live, and the most characters of these: they are compiled together. */
export const RUNNING_WORDS_LIMIT = 2 * CONDITION_LIMITS.words
export const RUNNING_CHARACTERS_LIMIT = 2 * CONDITION_LIMITS.characters
/** The most instructions that the patterns of these rules have together: all of them look at whatever is written. */
export const RUNNING_PATTERNS_LIMIT = 10 * PATTERNS_SIZE_AT_MOST

/**
 * Fails with INVALID_PARAMETERS if a locked rule has too many words, or too large patterns, to judge content beside the others. Uses
 * rule_community_id_position_idx.
 */
export async function assertSizes(ctx: Ctx, { ruleId, communityId, condition }: LockedRule): Promise<void> {
  const others = await query<{ condition: Condition }>(
    ctx,
    sql`
    select v.condition from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
    where ${communityId === null ? sql`r.community_id is null` : sql`r.community_id = ${communityId}`}
      and r.state in ('shadow', 'live') and r.rule_id <> ${ruleId}`,
  )
  const conditions = [condition, ...others.map((other) => other.condition)]
  const sum = (sizeOf: (condition: Condition) => number) => conditions.reduce((sum, one) => sum + sizeOf(one), 0)
  const detail = [
    ...(sum((condition) => countWords(condition).words) > RUNNING_WORDS_LIMIT
      ? [`condition: rules in shadow and live can have at most ${RUNNING_WORDS_LIMIT} words and domains together`]
      : []),
    ...(sum((condition) => countWords(condition).characters) > RUNNING_CHARACTERS_LIMIT
      ? [
          `condition: the words and domains of rules in shadow and live can have at most ${RUNNING_CHARACTERS_LIMIT} characters together`,
        ]
      : []),
    ...(sum(sizeOfPatterns) > RUNNING_PATTERNS_LIMIT ? [`condition: ${RULE_PROBLEMS.runningPatternsTooLarge}`] : []),
  ]
  if (detail.length > 0) throw new DomainError('INVALID_PARAMETERS', { detail })
}
