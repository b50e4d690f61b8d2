import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { present } from '#server/core/present.ts'
import { readMe } from '#server/modules/accounts/access/read-me.ts'
import { readPreferences } from '#server/modules/accounts/preferences/read-preferences.ts'
import { readMailServer } from '#server/modules/integrations/notifications/mail/mail-server.ts'
import { sendMail } from '#server/modules/integrations/notifications/mail/send-mail.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { MailTest } from '#server/modules/integrations/notifications/schema.ts'
import { WORDS } from '#server/modules/integrations/notifications/words.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'

/**
 * Sends the caller a mail with the server as it is stored, and says how that went. FORBIDDEN without admin MANAGE_CREDENTIALS, UNAUTHORIZED without a
 * staff account, NOT_FOUND without a mail server.
 */
export async function testMail(ctx: Ctx, parts: NotificationParts): Promise<MailTest> {
  assertMayManageWebhooks(ctx)
  const [me, { language = 'en' }, server] = await Promise.all([
    readMe(ctx),
    readPreferences(ctx),
    readMailServer(ctx, parts),
  ])
  if (server === undefined) throw new DomainError('NOT_FOUND')
  const { subject, text } = WORDS[language].test
  const to = { name: me.name, address: me.email }
  const { durationMs, problem, code } = await sendMail(
    server,
    { to, subject, text: `${text}\n\n${parts.deskUrl}\n` },
    parts,
  )
  return { durationMs, to: me.email, ...present({ problem, code }) }
}
