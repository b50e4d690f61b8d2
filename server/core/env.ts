import path from 'node:path'
import { z } from 'zod'
import { boundedString } from '#server/core/text.ts'

const Flag = z.enum(['', '0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')
const WebAddress = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''))
const DatabaseAddress = z.url({ protocol: /^postgres(ql)?$/ })

/** An origin as browsers send it, without anything after the port; or `*` for all. */
const Origin = z.union([
  z.literal('*'),
  z.string().refine((value) => URL.parse(value)?.origin === value, 'must be an origin such as https://example.org'),
])

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

/** README.md#run-it-for-real describes each. An empty value counts as unset. */
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
  /** Where DATABASE_URL leads to a pooler in transaction mode: the database itself, for migrations and notifications. */
  DATABASE_DIRECT_URL: DatabaseAddress.optional(),
  NETWORK_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores')
    .default('docket'),
  DATABASE_REPLICA_URLS: z
    .string()
    .transform((value) => value.split(',').map((url) => url.trim()))
    .pipe(z.array(DatabaseAddress))
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
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

export type Settings = z.output<typeof Settings>

/** Reads the settings once; throws an error with one line that names every invalid value, without showing secret values. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' && name in Settings.shape),
  )
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    throw new Error(
      `Invalid setting: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
    )
  }
  if (parsed.data.DATABASE_URL !== undefined && parsed.data.DOCKET_SECRET === undefined) {
    throw new Error(
      'Invalid setting: DOCKET_SECRET: required with DATABASE_URL (at least 32 characters, the same for every process)',
    )
  }
  if (parsed.data.DATABASE_DIRECT_URL !== undefined && parsed.data.DATABASE_URL === undefined) {
    throw new Error('Invalid setting: DATABASE_DIRECT_URL: leads past the pooler in DATABASE_URL, which is not set')
  }
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = parsed.data
  const openId = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter((value) => value !== undefined)
  if (openId.length % 3 !== 0) {
    throw new Error('Invalid setting: set all of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them')
  }
  return parsed.data
}
