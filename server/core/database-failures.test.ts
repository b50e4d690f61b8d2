import { expect, test } from 'vitest'
import { databaseFailureOf } from '#server/core/database-failures.ts'

const withCode = (code: string) => Object.assign(new Error('something went wrong'), { code })
/** As Prisma's adapter wraps what PostgreSQL said of a raw statement in a transaction. */
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
/** A value that does not fit, a duplicate, a broken reference, a name that is not there, and what follows a failure that was swallowed. */
const OURS = ['22001', '23505', '23503', '25P02', '42P01', '42703', 'P0001']

test.each(PASSING)('the SQLSTATE %s says that the database is away, however it is wrapped', (code) => {
  for (const error of [withCode(code), wrapped(code), withCause(wrapped(code)), withCause(withCause(withCode(code)))]) {
    expect(databaseFailureOf(error)).toBe('away')
  }
})

test.each(LASTING)('the SQLSTATE %s says that the database refuses us', (code) => {
  for (const error of [withCode(code), wrapped(code)]) expect(databaseFailureOf(error)).toBe('refusing')
})

test.each(OURS)('the SQLSTATE %s is a mistake of ours', (code) => {
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
])('the error %s of a socket says that the database is away, alone or one of several addresses', (code) => {
  expect(databaseFailureOf(withCode(code))).toBe('away')
  expect(databaseFailureOf(new AggregateError([new Error('another'), withCode(code)]))).toBe('away')
})

test.each([
  'P1001',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
])('Prisma’s %s says that the database is away', (code) => {
  expect(databaseFailureOf(withCode(code))).toBe('away')
  expect(databaseFailureOf(Object.assign(new Error('at the start'), { errorCode: code }))).toBe('away')
})

test.each(['P2002', 'P2003', 'P2025', 'P2010'])('Prisma’s %s alone is a mistake of ours', (code) => {
  expect(databaseFailureOf(withCode(code))).toBeUndefined()
})

test.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'Query read timeout',
])('“%s” says that the database is away', (text) => {
  expect(databaseFailureOf(new Error(text))).toBe('away')
})

test('what was thrown by mistake is no failure of the database, and a circle of causes ends', () => {
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
