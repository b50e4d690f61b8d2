import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'

export type TallyKind =
  | 'held_comments'
  | 'held_posts'
  | 'community_members'
  | 'community_moderators'
  | 'community_posts'
  | 'channel_members'
  | 'channel_messages'
  | 'feed_posts'
  | 'comment_children'
  | 'post_comments'
  | 'reported_comments'
  | 'reported_posts'
  | 'reported_messages'
  | 'reported_people'

/**
 * Counts one change, in its transaction. Each change inserts a row of its own, so that changes never wait for each other on a
 * counter.
 */
export async function recordDelta(ctx: Ctx, kind: TallyKind, subjectId: string, delta: number): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into tally_delta (kind, subject_id, delta) values (${kind}::tally_kind, ${subjectId}, ${delta})`,
  )
}

export interface Delta {
  kind: TallyKind
  subjectId: string
  delta: number
}

/** Counts several changes of one transaction in one statement; runs no query for none. */
export async function recordDeltas(ctx: Ctx, deltas: Delta[]): Promise<void> {
  if (deltas.length > 0) await execute(ctx, insertOf(deltas))
}

/** The part of a statement that counts changes if `from` has a row: a further common table expression, or nothing without a change. */
export function deltaTables(deltas: Delta[], from: Sql): Sql {
  return deltas.length === 0 ? sql.empty : sql`, counted as (${insertOf(deltas, sql`where exists (select ${from})`)})`
}

function insertOf(deltas: Delta[], where = sql.empty): Sql {
  return sql`
    insert into tally_delta (kind, subject_id, delta)
    select kind::tally_kind, subject_id, delta
    from unnest(${deltas.map(({ kind }) => kind)}::text[], ${deltas.map(({ subjectId }) => subjectId)}::text[],
      ${deltas.map(({ delta }) => delta)}::int[]) as changed(kind, subject_id, delta) ${where}`
}
