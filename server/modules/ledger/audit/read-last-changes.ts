import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'

/** Who changed something last, and when; an admin token has no name. */
export interface LastChange {
  at: string
  by?: { userId: string; displayName: string }
}

interface Fields<Field extends string> {
  subjectType: string
  subjectId: string
  action: string
  fields: readonly Field[]
}

/**
 * The last change of each of these fields, from the log; undefined for a field that was never changed. Uses
 * audit_subject_type_subject_id_audit_id_idx.
 */
export async function readLastChanges<Field extends string>(
  ctx: Ctx,
  { subjectType, subjectId, action, fields }: Fields<Field>,
): Promise<Partial<Record<Field, LastChange>>> {
  const rows = await query<{ field: Field; at: Date; userId: string | null; displayName: string | null }>(
    ctx,
    sql`
    select field, last.at, u.user_id, coalesce(u.display_name, u.user_id) as display_name
    from unnest(${fields}::text[]) as changed(field)
    cross join lateral (
      select a.at, a.actor_id from audit a
      where a.subject_type = ${subjectType} and a.subject_id = ${subjectId} and a.action = ${action}
        and a.before -> field is distinct from a.after -> field
      order by a.audit_id desc limit 1) last
    left join network_user u on u.user_id = last.actor_id`,
  )
  const changes = rows.map(({ field, at, userId, displayName }): [Field, LastChange] => [
    field,
    { at: at.toISOString(), ...(userId !== null && { by: { userId, displayName: displayName ?? userId } }) },
  ])
  return Object.fromEntries(changes) as Partial<Record<Field, LastChange>>
}
