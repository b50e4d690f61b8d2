import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { countAccounts } from '#server/modules/review/bulk/count-accounts.ts'
import {
  BULK_LIMIT,
  type BulkInput,
  type BulkProgress,
  type BulkSanctionFailure,
  type SanctionsProgress,
} from '#server/modules/review/bulk/schema.ts'
import type { BanScope, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'

/** How long a finished bulk action is still listed at the desk. */
const RECENT_MS = 10 * 60_000
/** The longest a bulk action may run. */
const LATELY_MS = 24 * 60 * 60_000
const RECENT_LIMIT = 5

/** The progress of one of the caller's own bulk actions. NOT_FOUND for any other. */
export async function readBulk(ctx: Ctx, { bulkId }: BulkInput): Promise<BulkProgress> {
  const [bulk] = await readOwn(ctx, sql`and bulk_id = ${bulkId}`)
  if (bulk === undefined) throw new DomainError('NOT_FOUND')
  return bulk
}

/** The caller's own bulk actions that are running or finished recently, newest first. Uses bulk_made_by_created_at_idx. */
export function readRecentBulks(ctx: Ctx): Promise<BulkProgress[]> {
  const since = (ms: number) => new Date(ctx.now().getTime() - ms)
  return readOwn(
    ctx,
    sql`
    and created_at > ${since(LATELY_MS)} and (finished_at is null or finished_at > ${since(RECENT_MS)})
    order by created_at desc, bulk_id ${sql.raw(`limit ${RECENT_LIMIT}`)}`,
  )
}

async function readOwn(ctx: Ctx, which: Sql): Promise<BulkProgress[]> {
  const rows = await query<Row>(
    ctx,
    sql`
    select b.bulk_id as "bulkId", b.outcome, b.created_at as "startedAt", b.finished_at is not null as "isFinished",
      b.undone_at is not null as "isUndone", b.sanction, b.sanction_scope as scope,
      count(i.bulk_id)::int as total, count(*) filter (where i.state = 'waiting')::int as waiting,
      count(*) filter (where i.state = 'done')::int as done, count(*) filter (where i.state = 'undone')::int as undone,
      coalesce(to_jsonb((
        array_agg(
          jsonb_build_object('subjectType', i.subject_type, 'subjectId', i.subject_id, 'version', i.version, 'failure', i.failure)
          order by i.position)
        filter (where i.failure is not null and (b.undone_at is null or i.state = 'done')))[1:${BULK_LIMIT}::int]), '[]') as refused,
      (select min(e.releases_at) from decision d join event e on e.event_id = d.event_id
        where d.bulk_id = b.bulk_id and e.state = 'held') as "undoUntil"
    from (
      select bulk_id, outcome, created_at, finished_at, undone_at, sanction, sanction_scope from bulk
      where made_by = ${actingUserId(ctx) ?? null} ${which}) b
    left join bulk_item i on i.bulk_id = b.bulk_id
    group by b.bulk_id, b.outcome, b.created_at, b.finished_at, b.undone_at, b.sanction, b.sanction_scope
    order by b.created_at desc, b.bulk_id`,
  )
  const sanctions = await readSanctions(
    ctx,
    rows.filter(({ sanction }) => sanction !== null),
  )
  return rows.map((row) => toProgress(ctx, row, sanctions.get(row.bulkId) ?? []))
}

type Row = Omit<BulkProgress, 'startedAt' | 'undoUntil' | 'undoLeftMs' | 'sanctions'> & {
  startedAt: Date
  undoUntil: Date | null
  sanction: SanctionKind | null
  scope: BanScope | null
}

interface SanctionRow {
  bulkId: string
  userId: string
  state: 'waiting' | 'done' | 'refused' | 'undone'
  failure: BulkSanctionFailure | null
}

/** The sanctions of bulk actions that the caller was found to have made; no query for none. */
async function readSanctions(ctx: Ctx, bulks: { bulkId: string }[]): Promise<Map<string, SanctionRow[]>> {
  if (bulks.length === 0) return new Map()
  const rows = await query<SanctionRow>(
    ctx,
    sql`
    select bulk_id, user_id, state, failure from bulk_sanction where bulk_id = any(${bulks.map(({ bulkId }) => bulkId)}) order by bulk_id, position`,
  )
  return Map.groupBy(rows, ({ bulkId }) => bulkId)
}

interface Sanctioned {
  sanction: SanctionKind
  scope: BanScope
  isUndone: boolean
}

function toSanctionsProgress({ sanction, scope, isUndone }: Sanctioned, rows: SanctionRow[]): SanctionsProgress {
  const accountsIn = (state: SanctionRow['state']) =>
    new Set(rows.filter((row) => row.state === state).map(({ userId }) => userId)).size
  return {
    sanction,
    scope,
    waiting: accountsIn('waiting'),
    done: accountsIn('done'),
    undone: accountsIn('undone'),
    refused: countAccounts(isUndone ? rows.filter(({ state }) => state !== 'refused') : rows).refused,
  }
}

function toProgress(
  ctx: Ctx,
  { startedAt, undoUntil, sanction, scope, ...progress }: Row,
  rows: SanctionRow[],
): BulkProgress {
  const isOpen = progress.isFinished && undoUntil !== null
  return {
    ...progress,
    ...(sanction && scope && { sanctions: toSanctionsProgress({ ...progress, sanction, scope }, rows) }),
    startedAt: startedAt.toISOString(),
    ...(isOpen && {
      undoUntil: undoUntil.toISOString(),
      undoLeftMs: Math.max(0, undoUntil.getTime() - ctx.now().getTime()),
    }),
  }
}
