/**
 * `away` is temporary: the caller may retry the same request. `refusing` lasts until an operator changes something: a password, a name, a
 * certificate. Both answer UNAVAILABLE, as neither is an error of the caller or of our code.
 */
export type DatabaseFailure = 'away' | 'refusing'

/** SQLSTATE of a write on a server that is read-only: a standby, or a primary that was demoted. */
export const READ_ONLY = '25006'

/** The message of a transaction that was rolled back at its limit. */
export const TOOK_TOO_LONG = 'The transaction took too long'

/**
 * The single table that maps database errors to what they mean for a caller. Anything else is a bug on our side. SQLSTATEs are listed at
 * https://www.postgresql.org/docs/18/errcodes-appendix.html; two characters stand for a whole class.
 */
const FAILURES_OF_SQLSTATE: Record<string, DatabaseFailure> = {
  '08': 'away', // connection exceptions
  [READ_ONLY]: 'away', // until a standby is promoted, or another server is found
  '25P03': 'away', // idle in a transaction for too long
  '25P04': 'away', // a transaction that took too long
  '28': 'refusing', // wrong password, or no access from this address
  '3D': 'refusing', // no database of this name
  '40': 'away', // rolled back: serialization failures, deadlocks
  '53': 'away', // out of connections, disk or memory
  '55P03': 'away', // a lock that was not available in time
  '57': 'away', // shutting down, starting up, terminated, a statement that took too long
  '58': 'away', // I/O errors
  XX: 'away', // internal PostgreSQL errors
}

/** Node's error codes for connections and name look-ups. */
const FAILURES_OF_NODE: Record<string, DatabaseFailure> = {
  EADDRNOTAVAIL: 'away',
  EAI_AGAIN: 'away',
  ECONNABORTED: 'away',
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EHOSTDOWN: 'away',
  EHOSTUNREACH: 'away',
  EMFILE: 'away',
  ENETDOWN: 'away',
  ENETUNREACH: 'away',
  ENFILE: 'away',
  ENOTFOUND: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
}

/**
 * Prisma's own codes (https://www.prisma.io/docs/orm/reference/error-reference), for errors where it no longer gives PostgreSQL's code. Only
 * the sign-in library runs statements through Prisma.
 */
const FAILURES_OF_PRISMA: Record<string, DatabaseFailure> = {
  P1000: 'refusing', // authentication failed
  P1001: 'away', // unreachable
  P1003: 'refusing', // no database of this name
  P1008: 'away', // timed out
  P1010: 'refusing', // access denied
  P1011: 'refusing', // no TLS connection
  P1017: 'away', // the server closed the connection
  P1018: 'away', // the transaction was closed already
  P2028: 'away', // a transaction that did not start or end in time
  P2034: 'away', // a write conflict or a deadlock
  P2037: 'away', // too many connections
}

/** What Prisma's adapter calls a failed socket. */
const FAILURES_OF_ADAPTER: Record<string, DatabaseFailure> = {
  ConnectionClosed: 'away',
  DatabaseNotReachable: 'away',
  SocketTimeout: 'away',
  TlsConnectionError: 'refusing',
}

const OUTDATED_PLAN = /cached plan must not change result type/

/** Whether a statement was prepared before its columns changed. Other errors share its SQLSTATE. */
export function isPlanOutdated(error: unknown): boolean {
  return error instanceof Error && OUTDATED_PLAN.test(error.message)
}

/** Errors of node-postgres that carry no code, and those of PostgreSQL and PgBouncer that share their code with others. */
const FAILURES_BY_TEXT: [RegExp, DatabaseFailure][] = [
  [OUTDATED_PLAN, 'away'],
  [/Connection terminated/, 'away'],
  [new RegExp(TOOK_TOO_LONG), 'away'],
  [/timeout exceeded when trying to connect/, 'away'],
  [/timeout expired/, 'away'],
  [/Query read timeout/, 'away'],
  [/Client has encountered a connection error/, 'away'],
  [/Client was closed and is not queryable/, 'away'],
  [/Cannot use a pool after calling end/, 'away'],
  [/unsupported startup parameter/, 'refusing'],
  [/The server does not support SSL connections/, 'refusing'],
  [/There was an error establishing an SSL connection/, 'refusing'],
]

/** Which database error this is; undefined for other errors. Unwraps errors of Prisma, its adapter and Node. */
export function databaseFailureOf(error: unknown): DatabaseFailure | undefined {
  return find(error, new Set())
}

function find(error: unknown, seen: Set<object>): DatabaseFailure | undefined {
  if (typeof error !== 'object' || error === null || seen.has(error)) return undefined
  seen.add(error)
  return (
    ofText(error) ??
    ofCodes(error) ??
    wrappedIn(error)
      .map((inner) => find(inner, seen))
      .find(Boolean)
  )
}

/**
 * PostgreSQL and Node set `code`; the adapter sets `originalCode` or, where a socket failed without an answer from PostgreSQL, `kind`;
 * Prisma's client sets `errorCode` on start.
 */
function ofCodes(error: object): DatabaseFailure | undefined {
  const codes = ['originalCode', 'code', 'errorCode', 'kind'].map((name) => Reflect.get(error, name))
  return codes.map((code) => (typeof code === 'string' ? ofCode(code) : undefined)).find(Boolean)
}

function ofCode(code: string): DatabaseFailure | undefined {
  const known = FAILURES_OF_PRISMA[code] ?? FAILURES_OF_NODE[code] ?? FAILURES_OF_ADAPTER[code]
  if (known !== undefined || !/^[0-9A-Z]{5}$/.test(code)) return known
  return FAILURES_OF_SQLSTATE[code] ?? FAILURES_OF_SQLSTATE[code.slice(0, 2)]
}

function ofText(error: object): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  return FAILURES_BY_TEXT.find(([text]) => text.test(error.message))?.[1]
}

function wrappedIn(error: object): unknown[] {
  const meta: unknown = Reflect.get(error, 'meta')
  return [
    Reflect.get(error, 'cause'),
    typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'driverAdapterError') : undefined,
    ...(error instanceof AggregateError ? error.errors : []),
  ]
}

/** SQLSTATEs of a statement or transaction that took too long, and of data that PostgreSQL can't read. */
const OF_ROWS = ['57014', '25P04', 'XX000', 'XX001', 'XX002']

/** Whether it may be the rows that a statement works on, although it reads as a database that is unavailable. */
export function mayBeOfRows(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message === TOOK_TOO_LONG || OF_ROWS.includes(String(Reflect.get(error, 'code')))
}

/** Whether the database is temporarily unable to do it, as opposed to a bug on our side: the caller may retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return databaseFailureOf(error) !== undefined
}
