import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { eraseFromEvents } from '#server/modules/ledger/events/erase-from-events.ts'
import { eraseContent } from '#server/modules/people/erase-content.ts'
import { eraseRows } from '#server/modules/people/erase-rows.ts'

/**
 * Longer than any transaction lasts: a request that read the names or wrote something just before the erasure has published it by then.
 * Published events are searched from then on.
 */
const SETTLES_WITHIN_MS = 15_000

interface Erasure {
  userId: string
  requestedAt: Date
  eventsRead: string
}

/**
 * Does the next step of an erasure: first the person's content, then every other row that holds their data, then published events. True
 * where more remains. One process works on one person at a time; one that dies keeps what it did. Uses erasure_unfinished.
 */
export async function eraseBatch(ctx: Ctx): Promise<boolean> {
  let isMoreNow = true
  const found = await setAside.workBatch(ctx, async (batch) => {
    isMoreNow = await inTransaction(ctx, (ctx) => eraseNext(ctx, batch))
  })
  return found > 0 && isMoreNow
}

const setAside = createSetAside('erasing')

async function eraseNext(ctx: Ctx, batch: Batch): Promise<boolean> {
  const erasure = await queryOne<Erasure>(
    ctx,
    sql`
      select user_id, requested_at, events_read::text as events_read from erasure
      where finished_at is null and ${batch.isTaken(sql`user_id`)} order by worked_at limit 1 for update skip locked`,
  )
  if (erasure === undefined) return false
  batch.take([erasure.userId])
  const step = await nextStep(ctx, erasure)
  await execute(
    ctx,
    sql`
      update erasure set worked_at = ${ctx.now()}, events_read = ${step.eventsRead}::bigint,
        finished_at = ${step.isFinished ? ctx.now() : null}
      where user_id = ${erasure.userId}`,
  )
  return step.isMoreNow
}

interface Step {
  eventsRead: string
  isMoreNow: boolean
  isFinished: boolean
}

async function nextStep(ctx: Ctx, { userId, requestedAt, eventsRead }: Erasure): Promise<Step> {
  const erased = (await eraseContent(ctx, userId)) || (await eraseRows(ctx, userId))
  if (erased > 0) return { eventsRead, isMoreNow: true, isFinished: false }
  const isSettled = ctx.now().getTime() >= requestedAt.getTime() + SETTLES_WITHIN_MS
  if (!isSettled) return { eventsRead, isMoreNow: false, isFinished: false }

  const { upto, isEnd } = await eraseFromEvents(ctx, { userId, after: eventsRead })
  if (isEnd) await recordAudit(ctx, { action: 'user.forgotten', subjectType: 'user', subjectId: userId })
  return { eventsRead: upto, isMoreNow: true, isFinished: isEnd }
}
