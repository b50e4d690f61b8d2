import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { fromEnvironment } from '#server/modules/integrations/notifications/mail/mail-server.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type {
  MailProblem,
  MailSettings,
  MailSettingsChange,
  TextsChange,
} from '#server/modules/integrations/notifications/schema.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { sealSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

const ENDED_SHOWN = 100

interface SettingsRow {
  version: number
  includesText: boolean
  lastSentAt: Date | null
  server: MailSettings['server'] | null
  lastFailure: { at: Date; problem: MailProblem; code: number | null } | null
}

/** How the network sends mail, never with the password. All of these fail with FORBIDDEN without admin MANAGE_CREDENTIALS. */
export async function readMailSettings(ctx: Ctx, { smtp }: Pick<NotificationParts, 'smtp'>): Promise<MailSettings> {
  assertMayManageWebhooks(ctx)
  const [row, ended] = await Promise.all([
    queryOne<SettingsRow>(
      ctx,
      sql`
      select version, includes_text, last_sent_at,
        ${joinedRow('server')}, host, port, security, username, password is not null as has_password, from_address, from_name,
        ${joinedRow('lastFailure')}, last_failed_at as at, last_problem as problem, last_code as code
      from notification_settings`,
    ),
    query<{ userId: string; displayName: string; at: Date; code: number | null }>(
      ctx,
      sql`
      select p.user_id, ${DESK_NAME} as display_name, p.mail_ended_at as at, p.refused_code as code
      from notification_person p join network_user u on u.user_id = p.user_id join staff_account a on a.network_user_id = p.user_id
      where p.mail_ended_at is not null order by p.mail_ended_at desc, p.user_id ${sql.raw(`limit ${ENDED_SHOWN}`)}`,
    ),
  ])
  if (row === undefined) throw new Error('the network has no settings of notifications')
  const { version, includesText, lastSentAt, server, lastFailure } = row
  return {
    version,
    includesText,
    isFromEnvironment: smtp !== undefined,
    ...present({ server: smtp === undefined ? server : toShown(smtp) }),
    ...(lastSentAt !== null && { lastSentAt: timestampOf(lastSentAt) }),
    ...(lastFailure && {
      lastFailure: {
        at: timestampOf(lastFailure.at),
        problem: lastFailure.problem,
        ...present({ code: lastFailure.code }),
      },
    }),
    ended: ended.map(({ at, code, ...who }) => ({ ...who, at: timestampOf(at), ...present({ code }) })),
  }
}

function toShown(smtp: NonNullable<NotificationParts['smtp']>): MailSettings['server'] {
  const { host, port, security, username, password, fromAddress, fromName } = fromEnvironment(smtp)
  return { host, port, security, username, hasPassword: password !== undefined, fromAddress, fromName }
}

/**
 * Sets the mail server, or removes it. CHANGED if the settings have changed since they were read, FORBIDDEN where the environment sets the server. Its
 * address is checked when mail is sent, as names may lead elsewhere by then.
 */
export async function changeMailSettings(
  ctx: Ctx,
  { version, server }: MailSettingsChange,
  parts: NotificationParts,
): Promise<MailSettings> {
  assertMayManageWebhooks(ctx)
  if (parts.smtp !== undefined) throw new DomainError('FORBIDDEN')
  const { host, port, security, username = null, fromAddress, fromName, password } = server ?? { password: null }
  const sealed = typeof password === 'string' ? sealSecret(parts.key, password) : null
  return inTransaction(ctx, async (ctx) => {
    const changed = await execute(
      ctx,
      sql`
      update notification_settings set host = ${host ?? null}, port = ${port ?? null}, security = ${security ?? null}, username = ${username},
        from_address = ${fromAddress ?? null}, from_name = ${fromName ?? null},
        password = case when ${password === undefined} then password else ${sealed}::bytea end,
        last_failed_at = null, last_problem = null, last_code = null, ${touched(ctx)}
      where version = ${version}`,
    )
    if (changed === 0) throw new DomainError('CHANGED')
    const after = { host: host ?? null, port, security, username, fromAddress, hasNewPassword: sealed !== null }
    await recordAct(ctx, 'mailChanged', after)
    return readMailSettings(ctx, parts)
  })
}

/** Sets whether notifications contain the beginning of what was written. CHANGED if the settings have changed since they were read. */
export async function changeNotificationTexts(
  ctx: Ctx,
  { version, includesText }: TextsChange,
  parts: NotificationParts,
): Promise<MailSettings> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    const changed = await execute(
      ctx,
      sql`update notification_settings set includes_text = ${includesText}, ${touched(ctx)} where version = ${version}`,
    )
    if (changed === 0) throw new DomainError('CHANGED')
    await recordAct(ctx, 'textsChanged', { includesText })
    return readMailSettings(ctx, parts)
  })
}

const touched = (ctx: Ctx) =>
  sql`version = version + 1, updated_at = ${ctx.now()}, updated_by = ${actingUserId(ctx) ?? actorName(ctx)}`

function recordAct(ctx: Ctx, act: 'mailChanged' | 'textsChanged', after: Record<string, unknown>): Promise<void> {
  return recordAudit(ctx, { action: `notifications.${act}`, subjectType: 'notifications', subjectId: 'network', after })
}
