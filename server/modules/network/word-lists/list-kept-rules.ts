import type { Ctx } from '#server/core/ctx.ts'
import { pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { NEWEST_FIRST } from '#server/modules/network/word-lists/list-rules.ts'
import type { KeptRules, KeptRulesInput } from '#server/modules/network/word-lists/schema.ts'
import { RULE_COLUMNS, type RuleRow, toRuleView } from '#server/modules/network/word-lists/view.ts'

const RULES_A_PAGE = 25

/**
 * The rules of one list with who added them, newest first, and how many there are. Fails with FORBIDDEN without admin
 * MANAGE_NETWORK_SETTINGS, INVALID_REQUEST for a cursor that does not belong to the list. Uses list_rule_newest.
 */
export async function listKeptRules(ctx: Ctx, { list, cursor }: KeptRulesInput): Promise<KeptRules> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  const page = { ...readPageRequest({ token: cursor }, RULES_A_PAGE), limit: RULES_A_PAGE }
  const { where, orderBy, limit } = pageClauses(NEWEST_FIRST, page)
  const [found, counted] = await Promise.all([
    query<RuleRow & { addedById: string | null; addedByName: string | null }>(
      ctx,
      sql`
      select ${RULE_COLUMNS}, u.user_id as added_by_id, coalesce(u.display_name, u.user_id) as added_by_name
      from list_rule r left join network_user u on u.user_id = r.created_by
      where r.list = ${list}::list_kind and ${where} order by ${orderBy} ${limit}`,
    ),
    queryOne<{ count: number }>(ctx, sql`select count(*)::int as count from list_rule where list = ${list}::list_kind`),
  ])
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.createdAt), row.ruleId])
  return {
    rules: rows.map(({ addedById, addedByName, ...row }) => ({
      ...toRuleView(row),
      ...(addedById !== null && { addedBy: { userId: addedById, displayName: addedByName ?? addedById } }),
    })),
    count: counted?.count ?? 0,
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.previous !== undefined && { previous: paging.previous }),
  }
}
