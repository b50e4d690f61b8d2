import { expect } from 'vitest'
import type { Database } from '#server/core/database/open-database.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { eventually } from '#server/testing/eventually.ts'
import { runProgram } from '#server/testing/program.ts'

/**
 * Waits until everything is numbered, then fails where an event is missing or doubled, a comment was decided only in part, a count differs
 * from a recount, or `audit verify` reports an error.
 */
export async function expectWhole(database: Database, environment: Record<string, string>): Promise<void> {
  const { prisma } = database
  await eventually('all events are numbered', () => prisma.event.count({ where: { seq: null } })).toBe(0)
  const events = await prisma.event.findMany({ orderBy: { seq: 'asc' }, select: { seq: true } })
  expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, index) => index + 1))
  expect(await decidedByHalf(database)).toEqual([])
  const held = await prisma.comment.count({ where: { approvalStatus: 'pending', isDeleted: false } })
  expect((await countQueue(ctxOf(database, asAdmin()))).total).toBe(held)

  const verifying = await runProgram(environment, 'server/cli/docket.ts', ['audit', 'verify'])
  expect([await verifying.ended, verifying.output()]).toEqual([0, expect.stringContaining('The chain is valid')])
}

/** Each decision in effect has one row of the log and one event that was not cancelled; pending items have no decision in effect. */
async function decidedByHalf({ prisma }: Database): Promise<unknown[]> {
  return prisma.$queryRaw`
    with decisions as (
      select subject_id, count(*) as total from decision where undone_at is null group by subject_id),
    audits as (
      select subject_id,
        count(*) filter (where action <> 'comment.undone') - count(*) filter (where action = 'comment.undone') as total
      from audit where action in ('comment.approved', 'comment.rejected', 'comment.undone') group by subject_id),
    events as (
      select subject_id, count(*) as total from event where not is_desk_only and state <> 'cancelled' group by subject_id),
    counted as (
      select c.comment_id, c.approval_status::text, coalesce(decisions.total, 0)::int as decisions,
        coalesce(audits.total, 0)::int as audits, coalesce(events.total, 0)::int as events
      from comment c
        left join decisions on decisions.subject_id = c.comment_id
        left join audits on audits.subject_id = c.comment_id
        left join events on events.subject_id = c.comment_id)
    select * from counted
    where (decisions, audits, events) <> case when approval_status = 'pending' then (0, 0, 0) else (1, 1, 1) end
    limit 5`
}
