import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { listPage, numberTie } from '#server/core/list-page.ts'
import { holds } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import {
  ENTRY_COLUMNS,
  ENTRY_NAMES,
  type EntryRow,
  matchesFilter,
  toEntry,
} from '#server/modules/ledger/audit/audit-rows.ts'
import type { AuditEntry, AuditFilter, AuditInput, AuditPage } from '#server/modules/ledger/audit/schema.ts'

/** Lists acts from every source, newest first. Needs admin VIEW_HISTORY, else FORBIDDEN. See `isAsked` for the indexes. */
export async function listAudit(ctx: Ctx, { cursor, limit, ...filter }: AuditInput): Promise<AuditPage> {
  assertMayReadHistory(ctx)
  const [page, narrowedTo] = await Promise.all([
    listPage<EntryRow & { tie: string }, AuditEntry>(
      ctx,
      { limit, ...present({ cursor }) },
      {
        order: {
          first: { column: sql`a.at`, isDescending: true, type: 'timestamptz' },
          tie: { column: numberTie(sql`a.audit_id`), isDescending: true },
        },
        // Looks up the names for this page only.
        select: ({ where, orderBy, limit }) => sql`
          select ${ENTRY_COLUMNS}, ${numberTie(sql`a.audit_id`)} as tie
          from (select a.* from audit a where ${matchesFilter(filter)} and ${where} order by ${orderBy} ${limit}) a ${ENTRY_NAMES}
          order by ${orderBy}`,
        positionOf: ({ at, tie }) => [at.toISOString(), tie],
        toItem: toEntry,
      },
    ),
    readNames(ctx, filter),
  ])
  return { ...page, narrowedTo }
}

/** Rejects callers who may not see the whole history. */
export function assertMayReadHistory(ctx: Ctx): void {
  if (!holds(ctx, 'VIEW_HISTORY')) throw new DomainError('FORBIDDEN')
}

/** The actions in the log, by name. A skip scan along audit_of_action. */
export async function listActions(ctx: Ctx): Promise<string[]> {
  assertMayReadHistory(ctx)
  const found = await query<{ action: string }>(
    ctx,
    sql`
    with recursive hop as (
      select min(action) as action from audit
      union all
      select (select min(action) from audit where action > hop.action) from hop where hop.action is not null)
    select action from hop where action is not null order by action`,
  )
  return found.map(({ action }) => action)
}

async function readNames(ctx: Ctx, { actorId, communityId }: AuditFilter): Promise<AuditPage['narrowedTo']> {
  if (actorId === undefined && communityId === undefined) return {}
  const names = await queryOne<{ actor: string | null; community: string | null }>(
    ctx,
    sql`
    select coalesce(
        (select nullif(display_name, '') from network_user where user_id = ${actorId ?? null}),
        (select name from api_key where key_id = ${actorId ?? null})) as actor,
      (select nullif(display_name, '') from community where community_id = ${communityId ?? null}) as community`,
  )
  return present({ actor: names?.actor, community: names?.community })
}
