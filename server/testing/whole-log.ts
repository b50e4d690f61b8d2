import { expect } from 'vitest'
import type { Database } from '#server/core/db.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { runProgram } from '#server/testing/program.ts'

/**
 * Waits until everything is numbered, then fails where an event is missing or doubled, a comment was decided only in part, a count differs
 * from a recount, or `audit verify` reports an error.
 */
export async function expectWhole(database: Database, environment: Record<string, string>): Promise<void> {
  const { prisma } = database
  await expect.poll(() => prisma.event.count({ where: { seq: null } }), { timeout: 60_000 }).toBe(0)
  const events = await prisma.event.findMany({ orderBy: { seq: 'asc' }, select: { seq: true } })
  expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, index) => index + 1))
  expect(await decidedByHalf(database)).toEqual([])
  const held = await prisma.comment.count({ where: { approvalStatus: 'pending', isDeleted: false } })
  expect((await countQueue(ctxOf(database, asAdmin()))).total).toBe(held)

  const verifying = await runProgram(environment, 'server/cli/docket.ts', ['audit', 'verify'])
  expect([await verifying.ended, verifying.output()]).toEqual([0, expect.stringContaining('The chain holds')])
}

/** Each decision in effect has one row of the log and one event that was not cancelled; pending items have no decision in effect. */
async function decidedByHalf({ prisma }: Database): Promise<unknown[]> {
  return prisma.$queryRaw`
    select * from (
      select c.comment_id, c.approval_status::text,
        (select count(*)::int from decision d where d.subject_id = c.comment_id and d.undone_at is null) as decisions,
        (select count(*)::int from audit a where a.subject_id = c.comment_id and a.action in ('comment.approved', 'comment.rejected'))
          - (select count(*)::int from audit a where a.subject_id = c.comment_id and a.action = 'comment.undone') as audits,
        (select count(*)::int from event e where e.subject_id = c.comment_id and not e.is_desk_only and e.state <> 'cancelled') as events
      from comment c) counted
    where (decisions, audits, events) <> case when approval_status = 'pending' then (0, 0, 0) else (1, 1, 1) end
    limit 5`
}
