import { z } from 'zod'
import { TimeZone } from '#server/core/calendar.ts'
import { text, utf16Length, visibleText, webAddress } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'

/** What people can be notified of outside the desk. */
export const TOPICS = ['escalated', 'reports', 'overdue', 'rules', 'webhooks'] as const
export type Topic = (typeof TOPICS)[number]

export const NOTIFICATION_CHANNELS = ['mail', 'push'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

/** How soon: at once, with others at the next full hour, or once a day. */
export const PACES = ['once', 'hourly', 'daily'] as const
export type Pace = (typeof PACES)[number]

const Hour = z.int().min(0).max(23)

/** An hour of the person's day at which the quiet hours begin, and one at which they end: the same day or the next. */
const QuietHours = z
  .object({ from: Hour, until: Hour })
  .refine(({ from, until }) => from !== until, { path: ['until'], error: 'must be another hour' })

export const REPORTS_FROM = { min: 1, max: 1_000, usual: 5 }
export const DIGEST_HOUR = 8

/**
 * A change of one's own notifications: what is left out stays. `zone` is that of the browser, for people whose preferences name none. A pace of null
 * ends notifications of this topic on this channel.
 */
export const NotificationsChange = z.object({
  zone: TimeZone,
  choice: z
    .object({ topic: z.enum(TOPICS), channel: z.enum(NOTIFICATION_CHANNELS), pace: z.enum(PACES).nullable() })
    .optional(),
  digestHour: Hour.optional(),
  quiet: QuietHours.nullable().optional(),
  reportsFrom: z.int().min(REPORTS_FROM.min).max(REPORTS_FROM.max).optional(),
})
export type NotificationsChange = z.output<typeof NotificationsChange>

export interface NotificationChoice {
  topic: Topic
  channel: NotificationChannel
  pace: Pace
}

/** The caller's own notifications. */
export interface OwnNotifications {
  /** The topics that the caller's permissions let them choose. */
  topics: Topic[]
  choices: NotificationChoice[]
  digestHour: number
  quiet?: { from: number; until: number }
  reportsFrom: number
  /** Where mail goes, and whether this network can send any. */
  email: string
  canMail: boolean
  /** With which browsers subscribe to push, in base64url; absent until a worker has made it. */
  pushKey?: string
  /** How many browsers have push turned on. */
  browsers: number
  /** The mail server refused the address for good so often that no more is sent. */
  mailEnded?: { at: string; code?: number }
}

const PushKey = z.string().regex(/^[\w-]{16,200}={0,2}$/, 'must be base64url')

/** A browser's subscription, as its push service made it. */
export const PushInput = z.object({
  endpoint: webAddress({ max: 2_000 }),
  keys: z.object({ p256dh: PushKey, auth: PushKey }),
})
export type PushInput = z.output<typeof PushInput>
export const PushEndpoint = PushInput.pick({ endpoint: true })
export type PushEndpoint = z.output<typeof PushEndpoint>
/** Browsers that one person has push turned on in. */
export const SUBSCRIPTIONS_LIMIT = 20

/** A link in a mail that stops its notifications. */
export const StopInput = z.object({ token: text({ min: 1, max: 2_000 }) })
export type StopInput = z.output<typeof StopInput>

export interface Stopped {
  topics: Topic[]
}

export const MAIL_SECURITIES = ['starttls', 'tls'] as const
export type MailSecurity = (typeof MAIL_SECURITIES)[number]

/** The name of a host, or an address, as it is written in a URL. */
const Host = z
  .string()
  .trim()
  .regex(/^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[?[0-9a-f:.]{2,45}\]?)$/i, 'must be the name of a host')

/**
 * The mail server. Without `password` the stored one stays; null deletes it. Without `host` no mail is sent. `version` is of the settings as
 * they were read: if they have changed since, the call fails with CHANGED.
 */
export const MailSettingsChange = z.object({
  version: Version,
  server: z
    .object({
      host: Host,
      port: z.int().min(1).max(65_535),
      security: z.enum(MAIL_SECURITIES),
      username: text({ max: 200 }),
      password: text({ min: 1, max: 1_000 }).nullable().optional(),
      fromAddress: z.email().check(utf16Length({ max: 200 })),
      fromName: visibleText({ max: 100 }),
    })
    .nullable(),
})
export type MailSettingsChange = z.output<typeof MailSettingsChange>

/** Whether notifications contain the beginning of what was written. */
export const TextsChange = z.object({ version: Version, includesText: z.boolean() })
export type TextsChange = z.output<typeof TextsChange>

/**
 * Why a mail was not sent: `name` couldn't be resolved, `address` is not a public one, `signIn` was refused, `sender` was refused, `refused` the
 * recipient or the mail for good, `later` for now; `secret` is a password that can't be opened, as DOCKET_SECRET has changed.
 */
export type MailProblem =
  | 'name'
  | 'address'
  | 'connection'
  | 'certificate'
  | 'timeout'
  | 'signIn'
  | 'sender'
  | 'refused'
  | 'later'
  | 'secret'

export interface MailSettings {
  version: number
  includesText: boolean
  /** Set by SMTP_URL and MAIL_FROM: then it can't be changed at the desk. */
  isFromEnvironment: boolean
  server?: {
    host: string
    port: number
    security: MailSecurity
    username: string
    hasPassword: boolean
    fromAddress: string
    fromName: string
  }
  lastSentAt?: string
  lastFailure?: { at: string; problem: MailProblem; code?: number }
  /** People whose address was refused so often that no more is sent, the latest first. */
  ended: { userId: string; displayName: string; at: string; code?: number }[]
}

/** How a test mail went. `code` is what the server answered. */
export interface MailTest {
  durationMs: number
  to: string
  problem?: MailProblem
  code?: number
}
