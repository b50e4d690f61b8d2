import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import type {
  EnvironmentSmtp,
  NotificationParts,
} from '#server/modules/integrations/notifications/notification-parts.ts'
import type { MailSecurity } from '#server/modules/integrations/notifications/schema.ts'
import { openedSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'

/** A mail server as it is used. */
export interface MailServer {
  host: string
  port: number
  security: MailSecurity
  username: string
  /** `unreadable`: DOCKET_SECRET has changed since it was entered. */
  password: string | undefined | { isUnreadable: true }
  fromAddress: string
  fromName: string
  /** Set by the operator, who may name a server of their own network. */
  isTrusted: boolean
}

/** The mail server of the environment, else that of the settings; undefined if there is none. */
export async function readMailServer(
  ctx: Ctx,
  { smtp, key }: Pick<NotificationParts, 'smtp' | 'key'>,
): Promise<MailServer | undefined> {
  if (smtp !== undefined) return fromEnvironment(smtp)
  const row = await queryOne<ServerRow>(
    ctx,
    sql`
    select host, port, security, username, password, from_address, from_name from notification_settings where host is not null`,
  )
  return row && { ...row, password: openPassword(row.password, key), isTrusted: false }
}

type ServerRow = Omit<MailServer, 'password' | 'isTrusted'> & { password: Uint8Array | null }

function openPassword(sealed: Uint8Array | null, key: Buffer): MailServer['password'] {
  if (sealed === null) return undefined
  return openedSecret(key, sealed) ?? { isUnreadable: true }
}

const PORTS = { smtp: 587, smtps: 465 }

/** `MAIL_FROM` is an address, or a name and an address: `Docket <docket@example.org>`. */
export function fromEnvironment({ url, from }: EnvironmentSmtp): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isTls = protocol === 'smtps:'
  const [, name = '', address = from] = /^(.*)<([^<>]+)>$/.exec(from) ?? []
  return {
    host: hostname,
    port: Number(port) || (isTls ? PORTS.smtps : PORTS.smtp),
    security: isTls ? 'tls' : 'starttls',
    username: decodeURIComponent(username),
    password: decodeURIComponent(password) || undefined,
    fromAddress: address.trim(),
    fromName: name.trim() || 'Docket',
    isTrusted: true,
  }
}
