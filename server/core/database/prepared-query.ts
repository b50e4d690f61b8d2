import pg from 'pg'

/** What node-postgres makes of the description of a statement's rows, and the types that it reads them by. */
interface Columns {
  fields: unknown[]
  _parsers: unknown[]
  _prebuiltEmptyResultObject: object
  _types: unknown
}

export type Callback = (error: Error | null, result?: unknown) => void

interface Connection {
  describe(portal: object): void
}

/** What the types of node-postgres leave out of its class. */
interface Query extends pg.Submittable {
  name?: string
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(description: object): void
}
const Query = pg.Query as unknown as new (
  statement: unknown,
  values: unknown[] | undefined,
  callback: Callback,
) => Query

/** The columns of a session's statements by their names. */
export type Described = Map<string, Columns>

/**
 * A statement as node-postgres sends it, except that one with a name is described once per session instead of at each execution: the
 * columns of a prepared statement never change, as PostgreSQL rejects it as soon as they would (decision 192).
 */
export class PreparedQuery extends Query {
  readonly #described: Described | undefined

  /** Without `described`, it is described at each execution. */
  constructor(described: Described | undefined, statement: unknown, values: unknown[] | undefined, callback: Callback) {
    super(statement, values, callback)
    this.#described = described
  }

  override prepare(connection: Connection): void {
    const columns = this.name ? this.#described?.get(this.name) : undefined
    if (columns === undefined || columns._types !== this._result._types) {
      super.prepare(connection)
    } else {
      Object.assign(this._result, columns)
      this._accumulateRows = true
      super.prepare(withoutDescribe(connection))
    }
  }

  override handleRowDescription(description: object): void {
    super.handleRowDescription(description)
    const { fields, _parsers, _prebuiltEmptyResultObject, _types } = this._result
    if (this.name) this.#described?.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject, _types })
  }
}

const silenced = new WeakMap<Connection, Connection>()

/** The connection, but that it asks for no description. */
function withoutDescribe(connection: Connection): Connection {
  const known = silenced.get(connection)
  if (known !== undefined) return known
  const made: Connection = Object.create(connection, { describe: { value: () => {} } })
  silenced.set(connection, made)
  return made
}
