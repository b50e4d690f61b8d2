import path from 'node:path'
import { z } from 'zod'
import { asksForWrites, hasKnownAttributes, isDatabaseAddress } from '#server/core/database/database-address.ts'
import { boundedString } from '#server/core/text.ts'

const Flag = z.enum(['', '0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')
const WebAddress = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''))
const DatabaseAddress = z
  .string()
  .refine(isDatabaseAddress, 'Invalid URL')
  .refine(hasKnownAttributes, 'target_session_attrs must be read-write or primary, as Docket writes')
const ReplicaAddress = z
  .string()
  .refine(isDatabaseAddress, 'Invalid URL')
  .refine((address) => !asksForWrites(address), 'each address names one server, without target_session_attrs')

/** An origin as browsers send it, without anything after the port; or `*` for all. */
const Origin = z.union([
  z.literal('*'),
  z.string().refine((value) => URL.parse(value)?.origin === value, 'must be an origin such as https://example.org'),
])

/** A mail server: `smtps://` speaks TLS from the start, `smtp://` with STARTTLS. */
const SmtpAddress = z
  .url({ protocol: /^smtps?$/ })
  .refine((value) => URL.parse(value)?.hostname !== '', 'must name a host')

/** An address, or a name and an address in angle brackets. */
const MailFrom = boundedString({ max: 300 }).regex(
  /^(?:[^<>\p{Cc}]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
  'must be an address, or a name and an address in angle brackets',
)

const Origins = z
  .string()
  .transform((value) => value.split(',').map((origin) => origin.trim()))
  .pipe(z.array(Origin))
  .default([])

const PARTS = ['pages', 'api', 'worker'] as const

const RATES = ['read', 'write', 'search', 'signin'] as const
/** How many requests of a kind one token may make in a span of milliseconds; an address gets five times as many. */
export type RateLimits = Record<(typeof RATES)[number], { points: number; perMs: number }>
const DEFAULT_RATES = 'read=100/s,write=20/s,search=20/s,signin=10/m'
const SPAN_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

function list<Entry extends string>(entries: readonly Entry[]) {
  return z
    .string()
    .transform((value) => value.split(',').map((entry) => entry.trim()))
    .pipe(z.array(z.enum(entries)).min(1))
}

/** Which proxies to trust: none, all, a number of hops, or the addresses of your own proxies. */
const TrustProxy = z.string().transform((value): boolean | number | string => {
  if (/^\d+$/.test(value)) return Number(value)
  return value === 'true' || (value !== 'false' && value)
})

const Rates = z
  .string()
  .transform((value) => (value === 'off' ? {} : value))
  .transform((value, context): Partial<RateLimits> => {
    if (typeof value !== 'string') return value
    const limits: Partial<RateLimits> = {}
    for (const entry of `${DEFAULT_RATES},${value}`.split(',')) {
      const [, name, points, span] = /^\s*(\w+)=(\d{1,9})\/([smh])\s*$/.exec(entry) ?? []
      const rate = RATES.find((known) => known === name)
      if (rate === undefined || Number(points) === 0) {
        context.addIssue(`"${entry}" must look like read=100/s`)
        return z.NEVER
      }
      limits[rate] = { points: Number(points), perMs: SPAN_MS[span as keyof typeof SPAN_MS] }
    }
    return limits
  })

/** README.md#run-it-in-production describes each. An empty value counts as unset. */
const Settings = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().min(0).max(65_535))
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: WebAddress.optional(),
  DATABASE_URL: DatabaseAddress.optional(),
  /** If DATABASE_URL points to a pooler in transaction mode: the database itself, for migrations and notifications. */
  DATABASE_DIRECT_URL: DatabaseAddress.optional(),
  NETWORK_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores')
    .default('docket'),
  /** Standbys with streaming replication from the primary, which answer reads. */
  DATABASE_REPLICA_URLS: z
    .string()
    .transform((value) => value.split(',').map((url) => url.trim()))
    .pipe(z.array(ReplicaAddress))
    .default([]),
  DOCKET_HOME: z
    .string()
    .default('.docket')
    .transform((value) => path.resolve(value)),
  DOCKET_SECRET: boundedString({ min: 32 }).optional(),
  DOCKET_ROLES: list(PARTS).default([...PARTS]),
  TRUST_PROXY: TrustProxy.default(false),
  CORS_ORIGINS: Origins,
  MEDIA_ORIGINS: Origins,
  METRICS_TOKEN: boundedString({ min: 16 }).optional(),
  /** How long a stopping process keeps serving requests with /readyz at 503, so that load balancers remove it first. */
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be 0 to 999 seconds')
    .transform(Number)
    .default(0),
  SESSION_SECURE_MODE: Flag.default(false),
  WEBHOOK_ALLOW_LOOPBACK: Flag.default(false),
  RATE_LIMITS: Rates.prefault(DEFAULT_RATES),
  /** The organisation's own sign-in (OpenID Connect): set all three or none. */
  OIDC_ISSUER: WebAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** The label of its button. */
  OIDC_NAME: boundedString({ max: 50 }).default('single sign-on'),
  /** The role for people whom the provider knows and the desk does not; if unset, they are rejected. */
  OIDC_NEW_ROLE: boundedString({ max: 100 }).optional(),
  /** The base address of an OpenTelemetry collector; traces are off without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: WebAddress.optional(),
  /** For how many days what was judged or reported is kept once its item is closed. */
  EVIDENCE_DAYS: z
    .string()
    .regex(/^\d{1,4}$/, 'must be 0 to 9999 days')
    .transform(Number)
    .default(180),
  /** The mail server for notifications, with its user and password; without it, the one that the settings name. */
  SMTP_URL: SmtpAddress.optional(),
  MAIL_FROM: MailFrom.optional(),
  /** The translation service, with LibreTranslate's interface; without it, the one that the settings name. */
  TRANSLATION_URL: WebAddress.optional(),
  TRANSLATION_API_KEY: boundedString({ max: 1_000 }).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

export type Settings = z.output<typeof Settings>

type SettingName = keyof typeof Settings.shape

export const SETTING_NAMES = Object.keys(Settings.shape)

const EXAMPLES: Record<SettingName, string> = {
  PORT: '3000',
  HOST: '0.0.0.0',
  PUBLIC_URL: 'https://desk.example.org',
  DATABASE_URL: 'postgres://docket:password@db.internal/docket',
  DATABASE_DIRECT_URL: 'postgres://docket:password@db.internal/docket',
  DATABASE_REPLICA_URLS: 'postgres://docket:password@replica.internal/docket',
  NETWORK_ID: 'harbour',
  DOCKET_HOME: '/var/lib/docket',
  DOCKET_SECRET: 'the output of: openssl rand -base64 48',
  DOCKET_ROLES: PARTS.join(','),
  CORS_ORIGINS: 'https://app.example.org',
  TRUST_PROXY: '1',
  MEDIA_ORIGINS: 'https://media.example.org',
  METRICS_TOKEN: 'the output of: openssl rand -hex 16',
  DRAIN_SECONDS: '10',
  SESSION_SECURE_MODE: '1',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  RATE_LIMITS: DEFAULT_RATES,
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_CLIENT_ID: 'docket',
  OIDC_CLIENT_SECRET: 'the secret that the provider shows with the client ID',
  OIDC_NAME: 'Harbour login',
  OIDC_NEW_ROLE: 'support',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
  EVIDENCE_DAYS: '180',
  SMTP_URL: 'smtps://docket:password@mail.example.org',
  MAIL_FROM: 'Docket <docket@example.org>',
  TRANSLATION_URL: 'http://translate.internal:5000',
  TRANSLATION_API_KEY: 'the key that the service gave you',
  LOG_LEVEL: 'info',
}

const SMTP: SettingName[] = ['SMTP_URL', 'MAIL_FROM']
const OPEN_ID: SettingName[] = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
/** Settings that one of others needs. */
const NEEDS: { by: SettingName[]; names: SettingName[]; problem: string }[] = [
  { by: ['DATABASE_URL'], names: ['DOCKET_SECRET'], problem: 'required with DATABASE_URL, the same for every process' },
  { by: ['DATABASE_DIRECT_URL'], names: ['DATABASE_URL'], problem: 'required with DATABASE_DIRECT_URL' },
  { by: ['DATABASE_REPLICA_URLS'], names: ['DATABASE_URL'], problem: 'required with DATABASE_REPLICA_URLS' },
  { by: SMTP, names: SMTP, problem: 'required to send mail, as the other one is' },
  { by: ['TRANSLATION_API_KEY'], names: ['TRANSLATION_URL'], problem: 'required with TRANSLATION_API_KEY' },
  { by: OPEN_ID, names: OPEN_ID, problem: 'required for sign-in with OpenID Connect, as the other two are' },
]

interface Mistake {
  name: SettingName
  problem: string
}

/**
 * Reads the settings once; throws an error that lists every mistake, a line each, with the setting's name and an example, without values,
 * as these may be secret.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' && name in Settings.shape),
  )
  const parsed = Settings.safeParse(given)
  const mistakes = [
    ...(parsed.error?.issues.map(({ path: [name], message }) => ({ name: name as SettingName, problem: message })) ??
      []),
    ...missing(given),
  ]
  if (!parsed.success || mistakes.length > 0) throw new Error(`Invalid settings:${mistakes.map(lineOf).join('')}`)
  return parsed.data
}

function lineOf({ name, problem }: Mistake): string {
  return `\n  ${name}: ${problem} (example: ${EXAMPLES[name]})`
}

function missing(given: Partial<Record<SettingName, string>>): Mistake[] {
  return NEEDS.flatMap(({ by, names, problem }) =>
    by.some((name) => given[name] !== undefined)
      ? names.filter((name) => given[name] === undefined).map((name) => ({ name, problem }))
      : [],
  )
}
