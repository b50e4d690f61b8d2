import pg from 'pg'
import { asksForWrites, hostAddresses } from '#server/core/database/database-address.ts'
import { READ_ONLY } from '#server/core/database/database-failures.ts'
import { type Callback, type Described, PreparedQuery } from '#server/core/database/prepared-query.ts'

/** What Docket's sessions are called at the server: those of other programs have another name. The address may give its own. */
export const APPLICATION_NAME = 'docket'

/** How long a host may take to answer before the next one is asked. */
const HOST_ANSWERS_WITHIN_MS = 2_000
/** A connection whose other end has vanished without closing it breaks this long, and ten more seconds, after its last use. */
const KEEP_ALIVE_AFTER_MS = 10_000

/** How long opening a connection may take. */
const CONNECTS_WITHIN_MS = 5_000
/** After how long the server ends a statement, if it has no limit of its own. */
export const STATEMENT_LIMIT_MS = 25_000
/**
 * When a connection is given up: by then the server has ended a statement and said so, unless it vanished. With waiting for a connection, less than
 * 35 s.
 */
const ANSWERS_WITHIN_MS = STATEMENT_LIMIT_MS + 3_000
/** How long a server may take to close a connection that is ended; one that vanished never does. */
const CLOSES_WITHIN_MS = 1_000

/** The message of node-postgres by which an answer that didn't come in time is recognized. */
const LATE = 'Query read timeout'
const TERMINATED = 'Connection terminated'

interface Host {
  host: string
  port: number
}

/** By address, the host that accepted writes last: it is asked first, as one that has vanished costs its whole time limit. */
const latestHosts = new Map<string, string>()
/** By address, the search for a host that is running: connections that are opened at the same time share it. */
const searches = new Map<string, Promise<Host>>()

/**
 * Options for a client, a pool or pg-boss that connect to an address of one or several hosts. What isn't answered in time fails, also statements of
 * libraries; with a `query_timeout` of 0 nothing has a limit, as for migrations.
 */
export function connectTo(address: string) {
  return {
    connectionString: address,
    application_name: APPLICATION_NAME,
    Client: DatabaseClient,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
}

/**
 * A client of node-postgres, which knows neither several hosts nor `target_session_attrs`. Where the address asks for a host that accepts
 * writes, it connects to the first that does, and fails with the errors of all if there is none. A connection on which a write was
 * rejected because its server is read-only ends with that statement, so that no pool uses it again.
 */
export class DatabaseClient extends pg.Client {
  /** Undefined where any server will do. */
  readonly #address: string | undefined
  /** 0: for ever. */
  readonly #answersWithinMs: number
  #isEnded = false
  #isLate = false
  #isGathering = false
  /** Undefined where the sessions of the server are not its own. */
  protected readonly described: Described | undefined = new Map()

  constructor(config: pg.ClientConfig = {}) {
    const address = config.connectionString ?? ''
    super({ ...config, connectionString: hostAddresses(address)[0], query_timeout: undefined })
    this.#answersWithinMs = Number(config.query_timeout ?? ANSWERS_WITHIN_MS)
    this.#address = asksForWrites(address) ? address : undefined
    // A pool listens only while nobody has the client: a connection that breaks as it is handed over would end the process.
    this.on('error', () => {})
    this.connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY) void this.end().catch(() => {})
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(...given: [callback?: (error: Error) => void]): unknown {
    const [callback] = given
    if (this.#address === undefined)
      return callback === undefined ? this.#connectUnlessEnded() : super.connect(callback)
    const picking = this.#pickHost(this.#address)
    if (callback === undefined) return picking.then(() => this.#connectUnlessEnded())
    // The callback is passed on: it attaches the pool's listener for errors, and must do so as soon as there is a connection.
    return void picking.then(() => super.connect(callback), callback)
  }

  /** node-postgres leaves its promise open where the client is ended before it is connected. */
  #connectUnlessEnded(): Promise<pg.Client> {
    const ended = new Promise<never>((_, reject) => {
      this.once('end', () => reject(new Error(TERMINATED)))
    })
    return Promise.race([super.connect(), ended])
  }

  /** Sends the statements of one turn of the event loop together: each write to a socket costs as much as a short statement. */
  gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.connection
    stream.cork()
    setImmediate(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /**
   * Sends a statement as node-postgres does; one that isn't answered within its `query_timeout`, or the client's, breaks the connection. node-postgres would set
   * the callback of its own promise or time limit on the statement after making it. V8 allocates a function that is set like this among old
   * objects: all that it leads to, here every row, would stay until old objects are collected. As an argument, it is a new object like the
   * rows.
   */
  override query(...given: unknown[]) {
    const [statement, ...rest] = given
    // A stream, such as that of a COPY.
    if (isObject(statement) && 'submit' in statement) return Reflect.apply(super.query, this, given)
    const callback = rest.find(isCallback)
    const values = rest.find(Array.isArray)
    if (callback !== undefined) return this.#send(statement, values, callback)
    const answered = new Promise((resolve, reject) => {
      this.#send(statement, values, (error, result) => (error ? reject(error) : resolve(result)))
    })
    return answered.catch((error) => {
      // So that the stack leads to the caller, not to the socket.
      Error.captureStackTrace(error)
      throw error
    })
  }

  #send(statement: unknown, values: unknown[] | undefined, callback: Callback) {
    const submit = (statement: unknown, callback: Callback) =>
      Reflect.apply(super.query, this, [new PreparedQuery(this.described, statement, values, callback)])
    const limitMs = hasLimit(statement) ? statement.query_timeout : this.#answersWithinMs
    if (limitMs === 0) return submit(statement, callback)
    const limit = setTimeout(() => {
      this.#isLate = true
      this.connection.stream.destroy(new Error(LATE))
    }, limitMs)
    const inTime: Callback = (error, result) => {
      clearTimeout(limit)
      callback(error, result)
    }
    return submit(hasLimit(statement) ? { ...statement, query_timeout: undefined } : statement, inTime)
  }

  /** Whether the server did not answer in time: it, or the way to it, most likely swallows what is sent on other connections as well. */
  get isLate(): boolean {
    return this.#isLate
  }

  override end(...given: unknown[]) {
    this.#isEnded = true
    closeInTime(this)
    return Reflect.apply(super.end, this, given)
  }

  async #pickHost(address: string): Promise<void> {
    const { host, port } = await findHost(address)
    if (this.#isEnded) throw new Error(TERMINATED)
    this.host = host
    this.port = port
  }
}

/** A server that vanished doesn't close a connection that is ended. */
function closeInTime({ connection: { stream } }: pg.Client): void {
  const limit = setTimeout(() => stream.destroy(), CLOSES_WITHIN_MS).unref()
  stream.once('close', () => clearTimeout(limit))
}

function isCallback(given: unknown): given is Callback {
  return typeof given === 'function'
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null
}

function hasLimit(statement: unknown): statement is { query_timeout: number } {
  return isObject(statement) && 'query_timeout' in statement && typeof statement.query_timeout === 'number'
}

function findHost(address: string): Promise<Host> {
  const running = searches.get(address)
  if (running !== undefined) return running
  const search = searchHost(address).finally(() => searches.delete(address))
  searches.set(address, search)
  return search
}

async function searchHost(address: string): Promise<Host> {
  const latest = latestHosts.get(address)
  const errors: unknown[] = []
  for (const candidate of new Set([...(latest === undefined ? [] : [latest]), ...hostAddresses(address)])) {
    try {
      const host = await askHost(candidate)
      latestHosts.set(address, candidate)
      return host
    } catch (error) {
      errors.push(error)
    }
  }
  throw new AggregateError(errors, 'no host of the database address accepts writes')
}

/** Fails unless the server of this address accepts writes. */
async function askHost(address: string): Promise<Host> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: HOST_ANSWERS_WITHIN_MS,
    query_timeout: HOST_ANSWERS_WITHIN_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    const { host, port } = client
    if (rows[0]?.transaction_read_only === 'off') return { host, port }
    throw Object.assign(new Error(`${host}:${port} is read-only`), { code: READ_ONLY })
  } finally {
    closeInTime(client)
    void client.end().catch(() => {})
  }
}
