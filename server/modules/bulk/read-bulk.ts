import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { BulkInput, BulkProgress } from '#server/modules/bulk/schema.ts'

/** How far one's own bulk is. NOT_FOUND for any other. */
export async function readBulk(ctx: Ctx, { bulkId }: BulkInput): Promise<BulkProgress> {
  const row = await queryOne<Row>(
    ctx,
    Prisma.sql`
    select b.bulk_id as "bulkId", b.outcome, b.finished_at is not null as "isFinished", b.undone_at is not null as "isUndone",
      count(*)::int as total, count(*) filter (where i.state = 'waiting')::int as waiting,
      count(*) filter (where i.state = 'done')::int as done, count(*) filter (where i.state = 'undone')::int as undone,
      coalesce(jsonb_agg(jsonb_build_object('subjectType', i.subject_type, 'subjectId', i.subject_id, 'failure', i.failure)
        order by i.position) filter (where i.failure is not null), '[]') as refused,
      (select min(e.releases_at) from decision d join event e on e.event_id = d.event_id
        where d.bulk_id = b.bulk_id and e.state = 'held') as "undoUntil"
    from bulk b join bulk_item i on i.bulk_id = b.bulk_id
    where b.bulk_id = ${bulkId} and b.made_by = ${actingUserId(ctx) ?? null}
    group by b.bulk_id`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  const { undoUntil, ...progress } = row
  return { ...progress, ...(row.isFinished && undoUntil !== null && { undoUntil: undoUntil.toISOString() }) }
}

type Row = Omit<BulkProgress, 'undoUntil'> & { undoUntil: Date | null }
