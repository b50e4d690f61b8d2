import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { matcherOf } from '#server/modules/network/word-lists/matcher.ts'
import { sizeOfPattern } from '#server/modules/network/word-lists/pattern-size.ts'
import {
  LISTS_TOO_LARGE,
  type ListKind,
  type ListRule,
  type NewRules,
  PATTERN_CHARACTERS_LIMIT,
} from '#server/modules/network/word-lists/schema.ts'
import { RULE_COLUMNS, type RuleRow, toRuleView } from '#server/modules/network/word-lists/view.ts'

/**
 * Adds patterns to a list; an existing pattern gets the new word setting. Fails with FORBIDDEN without admin MANAGE_NETWORK_SETTINGS,
 * INVALID_PARAMETERS for a pattern that is invalid or takes too long to match, and for more than `PATTERN_CHARACTERS_LIMIT`.
 */
export async function addRules(ctx: Ctx, input: NewRules & { list: ListKind }): Promise<ListRule[]> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  const patterns = [...new Set(input.regexs)]
  const matchers = patterns.map((pattern) => matcherOf(input.list, pattern, input))
  await assertSoundPatterns(ctx, patterns, matchers)

  return inTransaction(ctx, async (ctx) => {
    await assertTotalSize(ctx, input, patterns)
    const rules = await query<RuleRow>(
      ctx,
      sql`
      insert into list_rule as r (list, category, pattern, matcher, is_match_exact_word, created_by, created_at)
      select ${input.list}::list_kind, ${input.category}::list_category, pattern, matcher, ${input.isMatchExactWord},
        ${actingUserId(ctx) ?? null}, ${ctx.now()}
      from unnest(${patterns}::text[], ${matchers}::text[]) as given(pattern, matcher)
      on conflict (list, category, pattern) do update
        set matcher = excluded.matcher, is_match_exact_word = excluded.is_match_exact_word
      returning ${RULE_COLUMNS}`,
    )
    await recordAudit(ctx, {
      action: `${input.list}List.added`,
      subjectType: 'network',
      subjectId: 'network',
      after: { ruleIds: rules.map((rule) => rule.ruleId) },
      text: patterns.join('\n'),
    })
    return rules.map(toRuleView)
  })
}

/** One call after the other, so that together they keep the limit. Patterns that the list has already stay as they are. */
async function assertTotalSize(
  ctx: Ctx,
  { list, category }: NewRules & { list: ListKind },
  patterns: string[],
): Promise<void> {
  await execute(ctx, sql`select pg_advisory_xact_lock(hashtextextended('list rules', 0)) is null as locked`)
  const kept = await query<{ pattern: string; isHere: boolean }>(
    ctx,
    sql`
    select pattern, list = ${list}::list_kind and category = ${category}::list_category as is_here from list_rule`,
  )
  const here = new Set(kept.flatMap(({ pattern, isHere }) => (isHere ? [pattern] : [])))
  const added = patterns.filter((pattern) => !here.has(pattern))
  const sizeOf = (all: string[]) => all.reduce((sum, pattern) => sum + sizeOfPattern(pattern), 0)
  const [before, more] = [sizeOf(kept.map(({ pattern }) => pattern)), sizeOf(added)]
  if (more === 0 || before + more <= PATTERN_CHARACTERS_LIMIT) return
  throw new DomainError('INVALID_PARAMETERS', {
    detail: [`${LISTS_TOO_LARGE}, with repetitions: they have ${before}, and this adds ${more}`],
  })
}

/** Checks each pattern as written and as it will be matched: unbalanced closing brackets pass one of the two checks. */
async function assertSoundPatterns(ctx: Ctx, patterns: string[], matchers: string[]): Promise<void> {
  // PostgreSQL takes many seconds to refuse the largest.
  const unsound =
    patterns.find((pattern) => sizeOfPattern(pattern) > PATTERN_CHARACTERS_LIMIT) ??
    (await findUnsound(ctx, patterns, matchers))
  if (unsound === undefined) return
  throw new DomainError('INVALID_PARAMETERS', {
    detail: [`regexs: ${JSON.stringify(unsound)} is not a valid pattern, or takes too long to match`],
  })
}

async function findUnsound(ctx: Ctx, patterns: string[], matchers: string[]): Promise<string | undefined> {
  const unsound = await queryOne<{ pattern: string }>(
    ctx,
    sql`
    select pattern from unnest(${patterns}::text[], ${matchers}::text[]) as given(pattern, matcher)
    where not (is_sound_matcher('(?:' || pattern || ')') and is_sound_matcher(matcher) and is_sound_matcher(pattern))
    limit 1`,
  )
  return unsound?.pattern
}
