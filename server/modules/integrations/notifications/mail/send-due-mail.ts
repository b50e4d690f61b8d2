import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'
import {
  dropWaiting,
  endNotifications,
  postponeNotifications,
  retryAt,
} from '#server/modules/integrations/notifications/end-notifications.ts'
import { notificationFigures } from '#server/modules/integrations/notifications/figures.ts'
import { composeMail } from '#server/modules/integrations/notifications/mail/compose-mail.ts'
import { readMailServer } from '#server/modules/integrations/notifications/mail/mail-server.ts'
import {
  type Mail,
  type MailOutcome,
  type Sending,
  sendMail,
} from '#server/modules/integrations/notifications/mail/send-mail.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { MailProblem } from '#server/modules/integrations/notifications/schema.ts'
import { type Prepared, sendDue } from '#server/modules/integrations/notifications/send-due.ts'

/** An address that the server refuses so often in a row gets no more mail. */
const REJECTIONS = 3
/** After a failure that every other mail would meet, none is tried for so long. */
const PAUSE_MS = 60_000
/** Of one mail only. */
const OF_ONE_MAIL: MailProblem[] = ['refused', 'later']

const setAside = createSetAside('mail')

/** Sends the mails that are due, a few at once. True if more may be due. Safe to run in several processes. */
export function createMailTask(parts: NotificationParts, sending: Sending = parts): (ctx: Ctx) => Promise<boolean> {
  let pausedUntil = 0
  return async (ctx) => {
    if (ctx.now().getTime() < pausedUntil) return false
    const server = await readMailServer(ctx, parts)
    if (server === undefined) {
      await dropDue(ctx)
      return false
    }
    return sendDue<Mail>(ctx, {
      channel: 'mail',
      setAside,
      prepare: (read) => composeMail(read, parts, ctx.now()),
      send: async (prepared) => {
        const outcome = await sendMail(server, prepared.message, sending)
        const { problem } = outcome
        notificationFigures.mail[problem === undefined ? 'sent' : 'failed'] += 1
        if (problem !== undefined && !OF_ONE_MAIL.includes(problem)) {
          pausedUntil = ctx.now().getTime() + PAUSE_MS
          ctx.log.warn({ problem, code: outcome.code }, 'mail: the server did not take a mail, retrying')
        }
        await inTransaction(ctx, (ctx) => recordMail(ctx, prepared, outcome))
      },
    })
  }
}

/** Without a mail server nothing piles up until there is one. Uses notification_due. */
async function dropDue(ctx: Ctx): Promise<void> {
  await execute(
    ctx,
    sql`
    update notification set state = 'dropped', ended_at = ${ctx.now()}
    where channel = 'mail' and state = 'waiting' and due_at <= ${ctx.now()}`,
  )
}

async function recordMail(ctx: Ctx, { taken, read }: Prepared<Mail>, { problem, code }: MailOutcome): Promise<void> {
  const now = ctx.now()
  if (problem === undefined) {
    await endNotifications(ctx, taken.notificationIds, 'sent')
    await execute(
      ctx,
      sql`
      with reached as (
        update notification_person set rejections = 0, refused_code = null where user_id = ${taken.userId} and rejections > 0)
      update notification_settings set last_sent_at = ${now} where last_sent_at is null or last_sent_at < ${now}`,
    )
    return
  }
  const until = retryAt(taken, read.recipient, now)
  if (until === undefined) await endNotifications(ctx, taken.notificationIds, 'failed')
  else await postponeNotifications(ctx, taken, until)
  if (problem === 'refused') return recordRejection(ctx, taken.userId, code)
  await execute(
    ctx,
    sql`update notification_settings set last_failed_at = ${now}, last_problem = ${problem}, last_code = ${code ?? null}`,
  )
}

async function recordRejection(ctx: Ctx, userId: string, code: number | undefined): Promise<void> {
  const person = await queryOne<{ isEnded: boolean }>(
    ctx,
    sql`
    update notification_person set rejections = rejections + 1, refused_code = ${code ?? null},
      mail_ended_at = case when rejections + 1 >= ${REJECTIONS} then coalesce(mail_ended_at, ${ctx.now()}::timestamptz) end
    where user_id = ${userId} returning mail_ended_at is not null as is_ended`,
  )
  if (person?.isEnded) await dropWaiting(ctx, { userId, channel: 'mail' })
}
