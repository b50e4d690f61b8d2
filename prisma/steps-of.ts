import { type Node, parse, type RangeVar } from 'libpg-query'

/** One statement of a migration. */
export interface Step {
  sql: string
  /** What it does, in plain words. */
  text: string
  /** The table that it names. */
  table?: string
}

/** The statements of a migration, as PostgreSQL's own parser splits them. */
export async function stepsOf(sql: string): Promise<Step[]> {
  const bytes = Buffer.from(sql)
  const { stmts = [] } = await parse(sql)
  return stmts.flatMap(({ stmt, stmt_location: from = 0, stmt_len: length }) => {
    if (stmt === undefined) return []
    const own = bytes.subarray(from, length === undefined ? undefined : from + length).toString()
    return [{ sql: own, ...describe(stmt, own) }]
  })
}

function describe(stmt: Node, sql: string): Omit<Step, 'sql'> {
  if ('IndexStmt' in stmt) {
    const { idxname, relation, concurrent } = stmt.IndexStmt
    const how = concurrent ? 'Builds index' : 'Builds index, while writers wait,'
    return about(relation, `${how} ${idxname} on ${nameOf(relation)}`)
  }
  if ('AlterTableStmt' in stmt) {
    const { relation, cmds = [] } = stmt.AlterTableStmt
    const changes = cmds.map((command) => changeOf(command)).join(', ')
    return about(relation, `Changes ${nameOf(relation)}: ${changes}`)
  }
  if ('CreateStmt' in stmt) return { text: `Creates table ${nameOf(stmt.CreateStmt.relation)}` }
  if ('CreateTrigStmt' in stmt) {
    const { trigname, relation } = stmt.CreateTrigStmt
    return about(relation, `Creates trigger ${trigname} on ${nameOf(relation)}`)
  }
  if ('RenameStmt' in stmt) {
    const { relation, subname, newname } = stmt.RenameStmt
    return about(relation, `Renames ${[nameOf(relation), subname].filter(Boolean).join('.')} to ${newname}`)
  }
  if ('InsertStmt' in stmt)
    return about(stmt.InsertStmt.relation, `Inserts rows into ${nameOf(stmt.InsertStmt.relation)}`)
  if ('UpdateStmt' in stmt)
    return about(stmt.UpdateStmt.relation, `Updates rows of ${nameOf(stmt.UpdateStmt.relation)}`)
  if ('DeleteStmt' in stmt)
    return about(stmt.DeleteStmt.relation, `Deletes rows of ${nameOf(stmt.DeleteStmt.relation)}`)
  return { text: `Runs: ${firstLineOf(sql)}` }
}

const CHANGES: Record<string, string> = {
  AT_AddColumn: 'adds column',
  AT_DropColumn: 'drops column',
  AT_AlterColumnType: 'changes the type of column',
  AT_SetNotNull: 'forbids null in column',
  AT_DropNotNull: 'allows null in column',
  AT_ColumnDefault: 'changes the default of column',
  AT_AddConstraint: 'adds constraint',
  AT_ValidateConstraint: 'validates constraint',
  AT_DropConstraint: 'drops constraint',
}

function changeOf(command: Node): string {
  if (!('AlterTableCmd' in command)) return 'something else'
  const { subtype = '', name, def } = command.AlterTableCmd
  const change = CHANGES[subtype]
  if (change === undefined) return `${subtype.replace('AT_', '')} ${name ?? ''}`.trim()
  if (def && 'Constraint' in def) {
    const isForNewRows = def.Constraint.skip_validation === true
    return `${change} ${def.Constraint.conname ?? 'without a name'}${isForNewRows ? ' for new rows' : ''}`
  }
  return `${change} ${name ?? (def && 'ColumnDef' in def ? def.ColumnDef.colname : '')}`
}

function about(relation: RangeVar | undefined, text: string): Omit<Step, 'sql'> {
  return { text, ...(relation && { table: nameOf(relation) }) }
}

function nameOf(relation: RangeVar | undefined): string {
  return [relation?.schemaname, relation?.relname].filter(Boolean).join('.')
}

function firstLineOf(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trim())
  return lines.find((line) => line !== '' && !line.startsWith('--')) ?? ''
}
