import { expect, test } from 'vitest'
import { databaseFailureOf } from '#server/core/database/database-failures.ts'

const withCode = (code: string) => Object.assign(new Error('something went wrong'), { code })
/** As Prisma's adapter wraps what PostgreSQL reports. */
const wrapped = (originalCode: string) =>
  Object.assign(withCode('P2010'), { meta: { driverAdapterError: withCause({ kind: 'postgres', originalCode }) } })
const withCause = (cause: unknown) => new Error('wrapped', { cause })

const PASSING = [
  '08006',
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P03',
  '58030',
  'XX000',
]
const LASTING = ['28P01', '28000', '3D000']
/** An invalid value, a duplicate, a broken reference, an unknown name, and a statement after a swallowed error. */
const OURS = ['22001', '23505', '23503', '25P02', '42P01', '42703', 'P0001']

test.each(PASSING)('SQLSTATE %s means the database is unavailable, however it is wrapped', (code) => {
  for (const error of [withCode(code), wrapped(code), withCause(wrapped(code)), withCause(withCause(withCode(code)))]) {
    expect(databaseFailureOf(error)).toBe('away')
  }
})

test.each(LASTING)('SQLSTATE %s means the database rejects us', (code) => {
  for (const error of [withCode(code), wrapped(code)]) expect(databaseFailureOf(error)).toBe('refusing')
})

test.each(OURS)('SQLSTATE %s is a bug on our side', (code) => {
  for (const error of [withCode(code), wrapped(code), withCause(wrapped(code))]) {
    expect(databaseFailureOf(error)).toBeUndefined()
  }
})

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
])('the socket error %s means the database is unavailable, alone or as one of several addresses', (code) => {
  expect(databaseFailureOf(withCode(code))).toBe('away')
  expect(databaseFailureOf(new AggregateError([new Error('another'), withCode(code)]))).toBe('away')
})

test.each(['P1001', 'P1017', 'P2028', 'P2034', 'P2037'])('Prisma’s %s means the database is unavailable', (code) => {
  expect(databaseFailureOf(withCode(code))).toBe('away')
  expect(databaseFailureOf(Object.assign(new Error('at the start'), { errorCode: code }))).toBe('away')
})

test.each(['P2002', 'P2003', 'P2025', 'P2010'])('Prisma’s %s alone is a bug on our side', (code) => {
  expect(databaseFailureOf(withCode(code))).toBeUndefined()
})

test.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'Query read timeout',
])('“%s” means the database is unavailable', (text) => {
  expect(databaseFailureOf(new Error(text))).toBe('away')
})

test('other thrown values are not database errors, and a circular cause chain ends', () => {
  const circle = new Error('one')
  circle.cause = withCause(circle)
  for (const error of [
    undefined,
    null,
    'text',
    57,
    new TypeError('x is not a function'),
    withCode('FST_ERR_X'),
    circle,
  ]) {
    expect(databaseFailureOf(error)).toBeUndefined()
  }
})
