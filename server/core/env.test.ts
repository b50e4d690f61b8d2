import { expect, test } from 'vitest'
import { readSettings } from '#server/core/env.ts'

test('every mistake is listed at once, with its name and an example, and no value', () => {
  const secret = 'too-short-to-be-shown'
  const read = () =>
    readSettings({
      PORT: '99999',
      DATABASE_URL: `mysql://docket:${secret}@db/docket`,
      DOCKET_SECRET: secret,
      OIDC_ISSUER: 'https://login.example.org',
    })
  expect(read).toThrow(/^Invalid settings:\n/)
  expect(read).toThrow(/\n {2}PORT: .* \(example: 3000\)/)
  expect(read).toThrow(/\n {2}DATABASE_URL: .* \(example: postgres:\/\/docket:password@db\.internal\/docket\)/)
  expect(read).toThrow(/\n {2}DOCKET_SECRET: .* \(example: the output of: openssl rand -base64 48\)/)
  expect(read).toThrow(/\n {2}OIDC_CLIENT_ID: required .*\n {2}OIDC_CLIENT_SECRET: required/)
  expect(read).not.toThrow(new RegExp(secret))
})

test('every setting that can be wrong is listed with an example, all in one error', () => {
  const wrong = {
    PORT: 'high',
    PUBLIC_URL: 'desk.example.org',
    DATABASE_URL: 'db.internal',
    DATABASE_DIRECT_URL: 'db.internal',
    DATABASE_REPLICA_URLS: 'replica.internal',
    NETWORK_ID: 'our/network',
    DOCKET_SECRET: 'short',
    DOCKET_ROLES: 'cook',
    CORS_ORIGINS: 'app.example.org',
    MEDIA_ORIGINS: 'https://media.example.org/pictures',
    METRICS_TOKEN: 'short',
    DRAIN_SECONDS: '-1',
    SESSION_SECURE_MODE: 'maybe',
    WEBHOOK_ALLOW_LOOPBACK: 'maybe',
    RATE_LIMITS: 'read=often',
    OIDC_ISSUER: 'login.example.org',
    OIDC_NAME: 'x'.repeat(51),
    OIDC_NEW_ROLE: 'x'.repeat(101),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    LOG_LEVEL: 'loud',
  }
  let message = ''
  try {
    readSettings(wrong)
  } catch (error) {
    message = String(error)
  }
  const lines = message.split('\n').slice(1)
  expect(lines.filter((line) => !/^ {2}[A-Z_]+: .+ \(example: .+\)$/.test(line))).toEqual([])
  const named = new Set(lines.map((line) => line.trim().split(':', 1)[0]))
  expect(named).toEqual(new Set([...Object.keys(wrong), 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']))
})

test('an address of replicas names one server each, and needs the primary', () => {
  const DATABASE_REPLICA_URLS = 'postgres://docket@one.internal/docket?target_session_attrs=read-write'
  expect(() => readSettings({ DATABASE_REPLICA_URLS })).toThrow(
    /DATABASE_REPLICA_URLS: each address names one server.*\n {2}DATABASE_URL: required with DATABASE_REPLICA_URLS/,
  )
})

test('a direct address without a pooler before it is a mistake', () => {
  expect(() => readSettings({ DATABASE_DIRECT_URL: 'postgres://docket@db.internal/docket' })).toThrow(
    'DATABASE_URL: required with DATABASE_DIRECT_URL',
  )
})

test('the database may have several hosts, each with its port', () => {
  const DATABASE_URL = 'postgres://docket@one:5432,two:5433/docket?target_session_attrs=primary'
  expect(readSettings({ DATABASE_URL, DOCKET_SECRET: 'long enough to be a secret of its own' })).toMatchObject({
    DATABASE_URL,
  })
})

test('an empty value counts as unset, and unknown names are ignored', () => {
  expect(readSettings({ PORT: '', DOCKET_COLOUR: 'blue' })).toMatchObject({ PORT: 3000, HOST: '127.0.0.1' })
})

test.each<[Record<string, string>, string]>([
  [{ NETWORK_ID: 'our/network' }, 'NETWORK_ID: must be 1 to 100 letters, digits, dots, hyphens or underscores'],
  [{ DOCKET_ROLES: 'pages,cook' }, 'DOCKET_ROLES: '],
  [{ RATE_LIMITS: 'read=often' }, 'RATE_LIMITS: "read=often" must look like read=100/s'],
  [{ DRAIN_SECONDS: 'ten' }, 'DRAIN_SECONDS: must be 0 to 999 seconds (example: 10)'],
  [{ DATABASE_URL: 'postgres://docket@db.internal/docket' }, 'DOCKET_SECRET: required with DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://docket@one,two:port/docket' }, 'DATABASE_URL: Invalid URL'],
  [
    { DATABASE_URL: 'postgres://docket@one,two/docket?target_session_attrs=standby' },
    'DATABASE_URL: target_session_attrs must be read-write or primary',
  ],
])('%o is a mistake', (environment, line) => {
  expect(() => readSettings(environment)).toThrow(line)
})
