import { type Sql, sql } from '#server/core/db.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/**
 * Whether live rules hold new content of this kind in the community that the column names, as an SQL condition: those of the community or of the
 * network. Uses rule_community_id_position_idx.
 */
export function rulesHold(kind: ReviewedKind, communityColumn: Sql): Sql {
  return sql`exists (
    select from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
    where r.state = 'live' and v.action ->> 'type' = 'hold' and ${kind} = any(v.kinds)
      and (r.community_id = ${communityColumn} or r.community_id is null))`
}
