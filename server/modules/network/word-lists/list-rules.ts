import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { ListKind, RulesPage, RulesQuery } from '#server/modules/network/word-lists/schema.ts'
import { RULE_COLUMNS, type RuleRow, toRuleView } from '#server/modules/network/word-lists/view.ts'

const USUAL_LIMIT = 10

/** Uses list_rule_newest. */
export const NEWEST_FIRST: ListOrder = {
  first: { column: sql`r.created_at`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`r.rule_id`, isDescending: false },
}

/** The rules of one list, newest first. Fails with FORBIDDEN without admin MANAGE_NETWORK_SETTINGS. */
export async function listRules(ctx: Ctx, input: RulesQuery & { list: ListKind }): Promise<RulesPage> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')

  const page = readPageRequest(input.options, USUAL_LIMIT)
  const { where, orderBy, limit } = pageClauses(NEWEST_FIRST, page)
  const found = await query<RuleRow>(
    ctx,
    sql`
    select ${RULE_COLUMNS} from list_rule r
    where r.list = ${input.list}::list_kind and (${input.category ?? null}::list_category is null or r.category = ${input.category ?? null}::list_category)
      and ${where}
    order by ${orderBy} ${limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.createdAt), row.ruleId])
  return { rules: rows.map(toRuleView), paging }
}
