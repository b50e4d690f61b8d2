/**
 * `away` passes by itself: the caller may send the same again. `refusing` lasts until an operator changes something: a password, a
 * name, a certificate. Both are answered alike (UNAVAILABLE), for neither is a mistake of the caller or of our code.
 */
export type DatabaseFailure = 'away' | 'refusing'

/**
 * The one table of what a failure of the database is to a caller. What is not in it is a mistake of ours. SQLSTATEs are those of
 * https://www.postgresql.org/docs/18/errcodes-appendix.html; two characters stand for a whole class.
 */
const FAILURES_OF_SQLSTATE: Record<string, DatabaseFailure> = {
  '08': 'away', // connection exceptions
  '25006': 'away', // read-only: a standby that has not been promoted yet
  '25P03': 'away', // idle in a transaction for too long
  '25P04': 'away', // a transaction that took too long
  '28': 'refusing', // wrong password, or no access from here
  '3D': 'refusing', // no database of this name
  '40': 'away', // rolled back: serialization failures, deadlocks
  '53': 'away', // out of connections, disk or memory
  '55P03': 'away', // a lock that was not to be had in time
  '57': 'away', // shutting down, starting up, terminated, a statement that took too long
  '58': 'away', // input and output errors
  XX: 'away', // faults inside PostgreSQL
}

/** What Node says of a connection or of a name that is looked up. */
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

/** Prisma's own codes (https://www.prisma.io/docs/orm/reference/error-reference), where it no longer says what PostgreSQL said. */
const FAILURES_OF_PRISMA: Record<string, DatabaseFailure> = {
  P1000: 'refusing', // authentication failed
  P1001: 'away', // not reachable
  P1002: 'away', // did not answer in time
  P1003: 'refusing', // no database of this name
  P1008: 'away', // timed out
  P1010: 'refusing', // access denied
  P1011: 'refusing', // no TLS connection
  P1017: 'away', // the server closed the connection
  P1018: 'away', // the transaction was closed already
  P2024: 'away', // no connection came free
  P2028: 'away', // a transaction that did not start, or did not end, in time
  P2034: 'away', // a write conflict or a deadlock
  P2037: 'away', // too many connections
}

/** What Prisma's adapter calls a socket that failed. */
const FAILURES_OF_ADAPTER: Record<string, DatabaseFailure> = {
  ConnectionClosed: 'away',
  DatabaseNotReachable: 'away',
  SocketTimeout: 'away',
  TlsConnectionError: 'refusing',
}

/** Failures of node-postgres that carry no code. */
const FAILURES_BY_TEXT: [RegExp, DatabaseFailure][] = [
  [/Connection terminated/, 'away'],
  [/timeout exceeded when trying to connect/, 'away'],
  [/timeout expired/, 'away'],
  [/Query read timeout/, 'away'],
  [/Client has encountered a connection error/, 'away'],
  [/Client was closed and is not queryable/, 'away'],
  [/Cannot use a pool after calling end/, 'away'],
  [/The server does not support SSL connections/, 'refusing'],
  [/There was an error establishing an SSL connection/, 'refusing'],
]

/** Which failure of the database this is; undefined for what is none. Looks into what Prisma, its adapter and Node wrap. */
export function databaseFailureOf(error: unknown): DatabaseFailure | undefined {
  return find(error, new Set())
}

function find(error: unknown, seen: Set<object>): DatabaseFailure | undefined {
  if (typeof error !== 'object' || error === null || seen.has(error)) return undefined
  seen.add(error)
  return (
    ofCodes(error) ??
    ofText(error) ??
    wrappedIn(error)
      .map((inner) => find(inner, seen))
      .find(Boolean)
  )
}

/**
 * PostgreSQL and Node say `code`, the adapter `originalCode` or, where a socket failed and PostgreSQL said nothing, `kind`; Prisma's
 * client says `errorCode` when it starts.
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
