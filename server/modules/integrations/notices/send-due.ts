import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import type { SetAside } from '#server/core/set-aside.ts'
import { endNotices } from '#server/modules/integrations/notices/end-notices.ts'
import { type ReadNotices, readNotices } from '#server/modules/integrations/notices/read-notices.ts'
import type { NoticeChannel } from '#server/modules/integrations/notices/schema.ts'
import { type TakenNotices, takeNotices } from '#server/modules/integrations/notices/take-notices.ts'

/** The notices of one person, and the message that says them. */
export interface Prepared<Message> {
  taken: TakenNotices
  read: ReadNotices
  message: Message
}

interface Channel<Message> {
  channel: NoticeChannel
  setAside: SetAside
  /** Makes the message; reads and sends nothing. */
  prepare: (read: ReadNotices) => Message
  send: (prepared: Prepared<Message>) => Promise<void>
}

/**
 * Takes what is due, and sends it outside of the transaction, to several people at once. A person whose notices can't be prepared is set aside
 * alone. Notices that are over, or not theirs any more, end here. True if more may be due.
 */
export async function sendDue<Message>(
  ctx: Ctx,
  { channel, setAside, prepare, send }: Channel<Message>,
): Promise<boolean> {
  const prepared: Prepared<Message>[] = []
  let hasTaken = false
  await setAside.workBatch(ctx, async (batch) => {
    prepared.push(
      ...(await inTransaction(ctx, async (ctx) => {
        const taken = await takeNotices(ctx, channel, batch)
        if (taken.length > 0) hasTaken = true
        return taken.length === 0 ? [] : prepareAll(ctx, taken, prepare)
      })),
    )
  })
  await Promise.all(prepared.map((one) => send(one)))
  return hasTaken
}

async function prepareAll<Message>(
  ctx: Ctx,
  taken: TakenNotices[],
  prepare: Channel<Message>['prepare'],
): Promise<Prepared<Message>[]> {
  const noticeIds = taken.flatMap((one) => one.noticeIds)
  const read = await readNotices(ctx, noticeIds)
  const told = new Set([...read.values()].flatMap(({ notices }) => notices.map(({ noticeId }) => noticeId)))
  await endNotices(
    ctx,
    noticeIds.filter((id) => !told.has(id)),
    'dropped',
  )
  return taken.flatMap((one) => {
    const readOne = read.get(one.userId)
    return readOne === undefined ? [] : [{ taken: one, read: readOne, message: prepare(readOne) }]
  })
}
