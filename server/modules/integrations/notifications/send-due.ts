import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import type { SetAside } from '#server/core/set-aside.ts'
import { endNotifications } from '#server/modules/integrations/notifications/end-notifications.ts'
import {
  type ReadNotifications,
  readNotifications,
} from '#server/modules/integrations/notifications/read-notifications.ts'
import type { NotificationChannel } from '#server/modules/integrations/notifications/schema.ts'
import {
  type TakenNotifications,
  takeNotifications,
} from '#server/modules/integrations/notifications/take-notifications.ts'

/** The notifications of one person, and the message that says them. */
export interface Prepared<Message> {
  taken: TakenNotifications
  read: ReadNotifications
  message: Message
}

interface Channel<Message> {
  channel: NotificationChannel
  setAside: SetAside
  /** Makes the message; reads and sends nothing. */
  prepare: (read: ReadNotifications) => Message
  send: (prepared: Prepared<Message>) => Promise<void>
}

/**
 * Takes what is due, and sends it outside of the transaction, to several people at once. A person whose notifications can't be prepared is set aside
 * alone. Notifications that are over, or not theirs any more, end here. True if more may be due.
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
        const taken = await takeNotifications(ctx, channel, batch)
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
  taken: TakenNotifications[],
  prepare: Channel<Message>['prepare'],
): Promise<Prepared<Message>[]> {
  const notificationIds = taken.flatMap((one) => one.notificationIds)
  const read = await readNotifications(ctx, notificationIds)
  const told = new Set(
    [...read.values()].flatMap(({ notifications }) => notifications.map(({ notificationId }) => notificationId)),
  )
  await endNotifications(
    ctx,
    notificationIds.filter((id) => !told.has(id)),
    'dropped',
  )
  return taken.flatMap((one) => {
    const readOne = read.get(one.userId)
    return readOne === undefined ? [] : [{ taken: one, read: readOne, message: prepare(readOne) }]
  })
}
