import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'

/** How many texts are kept of one item while it is pending. Those after them aren't, except for the last, as nobody decided on them. */
const KEPT_WHILE_PENDING = 20

interface Said {
  type: string
  kind: 'held' | 'reported'
  /** A query for what they say now: `subject_id`, `title` and `text`. */
  now: Sql
}

/**
 * A common table expression that keeps what items say before the rest of the statement overwrites it: each text while they are pending, and the one
 * that was decided on afterwards (docs/decisions/0286-what-was-judged-is-kept.md). Uses review_evidence_pkey.
 */
export function keptTexts(ctx: Ctx, { type, kind, now }: Said): Sql {
  return sql`
    kept_text as (
      insert into review_evidence (subject_type, subject_id, kind, version, author_id, title, text, replaced_at)
      select i.subject_type, i.subject_id, i.kind, i.version, i.author_id, i.title, i.text, ${ctx.now()}
      from (${now}) said join review_item i on i.subject_type = ${type} and i.subject_id = said.subject_id and i.kind = ${kind}
      where (i.title, i.text) is distinct from (said.title, said.text) and (i.title is not null or i.text is not null)
        and (
          select count(*) from review_evidence e
          where e.subject_type = i.subject_type and e.subject_id = i.subject_id and e.kind = i.kind and e.replaced_at >= coalesce(i.closed_at, i.placed_at)
        ) < case i.state when 'waiting' then ${KEPT_WHILE_PENDING} else 1 end
      on conflict do nothing)`
}
