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

test('a direct address without a pooler before it is a mistake', () => {
  expect(() => readSettings({ DATABASE_DIRECT_URL: 'postgres://docket@db.internal/docket' })).toThrow(
    'DATABASE_URL: required with DATABASE_DIRECT_URL',
  )
})

test('an empty value counts as unset, and unknown names are ignored', () => {
  expect(readSettings({ PORT: '', DOCKET_COLOUR: 'blue' })).toMatchObject({ PORT: 3000, HOST: '127.0.0.1' })
})

test.each<[Record<string, string>, string]>([
  [{ NETWORK_ID: 'our/network' }, 'NETWORK_ID: must be 1 to 100 letters, digits, dots, hyphens or underscores'],
  [{ DOCKET_ROLES: 'pages,cook' }, 'DOCKET_ROLES: '],
  [{ RATE_LIMITS: 'read=often' }, 'RATE_LIMITS: "read=often" must look like read=100/s'],
  [{ DATABASE_URL: 'postgres://docket@db.internal/docket' }, 'DOCKET_SECRET: required with DATABASE_URL'],
])('%o is a mistake', (environment, line) => {
  expect(() => readSettings(environment)).toThrow(line)
})
