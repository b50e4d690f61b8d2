import type { Ctx } from '#server/core/ctx.ts'
import { sqlStateOf, UNIQUE_VIOLATION } from '#server/core/database/sql-state.ts'
import { columnOf } from '#server/core/database/write-columns.ts'
import { execute, inTransaction, isInTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { lockPostsOf, putItems } from '#server/modules/content/items/put-items.ts'
import type { Named, RecordKind, Row } from '#server/modules/integrations/imports/records/record-kind.ts'

export interface Entry {
  line: number
  row: Row
}

interface Rejection {
  line: number
  reason: string
}

export interface BatchResult {
  added: number
  unchanged: number
  refused: Rejection[]
}

/** Fills in what depends on existing rows, in the transaction of the batch. */
type Assign = (ctx: Ctx, rows: Row[]) => Promise<Row[]>

/**
 * Adds the records whose id does not exist yet, with their counts, in one transaction. If the database rejects a value, the
 * batch is halved until the bad record is alone, and the rest is added.
 */
export async function addBatch(ctx: Ctx, kind: RecordKind, batch: Entry[], assign?: Assign): Promise<BatchResult> {
  try {
    return await atomically(ctx, (ctx) => add(ctx, kind, batch, assign))
  } catch (error) {
    const reason = rejectionReason(error)
    const [first] = batch
    if (reason === undefined || first === undefined) throw error
    if (batch.length === 1) return { added: 0, unchanged: 0, refused: [{ line: first.line, reason }] }

    const middle = Math.ceil(batch.length / 2)
    const firstHalf = await addBatch(ctx, kind, batch.slice(0, middle), assign)
    const secondHalf = await addBatch(ctx, kind, batch.slice(middle), assign)
    return {
      added: firstHalf.added + secondHalf.added,
      unchanged: firstHalf.unchanged + secondHalf.unchanged,
      refused: [...firstHalf.refused, ...secondHalf.refused],
    }
  }
}

/** One transaction; inside another, a savepoint that leaves nothing behind if it fails. */
async function atomically<Result>(ctx: Ctx, act: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  if (!isInTransaction(ctx)) return inTransaction(ctx, act)
  await execute(ctx, sql`savepoint batch`)
  try {
    const result = await act(ctx)
    await execute(ctx, sql`release savepoint batch`)
    return result
  } catch (error) {
    await execute(ctx, sql`rollback to savepoint batch`)
    throw error
  }
}

async function add(ctx: Ctx, kind: RecordKind, batch: Entry[], assign?: Assign): Promise<BatchResult> {
  const { refused, rows } = await refuse(ctx, kind, batch)
  if (rows.length === 0) return { added: 0, unchanged: 0, refused }

  const complete = kind.complete === undefined ? rows : await kind.complete(ctx, rows)
  const added = await insert(ctx, kind, assign === undefined ? complete : await assign(ctx, complete))
  if (kind.held !== undefined) {
    const ids = added.map(({ id }) => id)
    await putItems(ctx, kind.held, kind.held === 'post' ? [...ids, ...(await lockPostsOf(ctx, ids))] : ids)
  }
  return { added: added.length, unchanged: rows.length - added.length, refused }
}

/** The rows that can be added, and why the others can't: one reason each. */
async function refuse(ctx: Ctx, kind: RecordKind, batch: Entry[]): Promise<{ rows: Row[]; refused: Rejection[] }> {
  const refused = [...(await findUnknownNames(ctx, kind, batch)), ...(await findMisplacedRoles(ctx, kind, batch))]
  const refusedLines = new Set(refused.map(({ line }) => line))
  const left = batch.filter(({ line }) => !refusedLines.has(line))
  const rows = left.map(({ row }) => row)
  const faults = (await kind.findFaults?.(ctx, rows)) ?? new Map<Row, string>()
  const faulty = left.flatMap(({ line, row }) => {
    const reason = faults.get(row)
    return reason === undefined ? [] : [{ line, reason }]
  })
  return { rows: rows.filter((row) => !faults.has(row)), refused: [...refused, ...faulty] }
}

const LOOKUPS = {
  community: sql`select community_id as id from community where community_id`,
  channel: sql`select channel_id as id from channel where channel_id`,
  user: sql`select user_id as id from network_user where user_id`,
} satisfies Record<Named, Sql>

async function findUnknownNames(ctx: Ctx, { names = {}, locks }: RecordKind, batch: Entry[]): Promise<Rejection[]> {
  const reasons = new Map<number, string>()
  for (const [field, named] of Object.entries(names)) {
    const known = await findKnown(
      ctx,
      named,
      batch.map(({ row }) => row[field]),
      field === locks,
    )
    for (const { line, row } of batch) {
      const id = row[field]
      if (typeof id === 'string' && !known.has(id) && !reasons.has(line))
        reasons.set(line, `There is no ${named} ${JSON.stringify(id)}`)
    }
  }
  return [...reasons].map(([line, reason]) => ({ line, reason }))
}

/** A role of a community or channel is assigned there: by a communityUser or channelUser record. */
async function findMisplacedRoles(ctx: Ctx, { hasNetworkRoles }: RecordKind, batch: Entry[]): Promise<Rejection[]> {
  const held = batch.map(({ line, row }) => ({ line, roles: Array.isArray(row.roles) ? row.roles : [] }))
  const named = [...new Set(held.flatMap(({ roles }) => roles))]
  if (hasNetworkRoles !== true || named.length === 0) return []
  const misplaced = await query<{ roleId: string; scope: string }>(
    ctx,
    sql`
    select role_id as "roleId", scope::text as scope from role where role_id = any(roles_of_spaces(${named}::text[]))`,
  )
  const scopes = new Map(misplaced.map(({ roleId, scope }) => [roleId, scope]))
  return held.flatMap(({ line, roles }) => {
    const roleId = roles.find((role) => scopes.has(role))
    return roleId === undefined ? [] : [{ line, reason: `roles: ${roleId} needs a ${scopes.get(roleId)}` }]
  })
}

async function findKnown(ctx: Ctx, named: Named, ids: unknown[], areLocked: boolean): Promise<Set<string>> {
  const asked = [...new Set(ids.filter((id) => typeof id === 'string'))]
  const locked = areLocked ? sql`order by id for no key update` : sql.empty
  const found = await query<{ id: string }>(ctx, sql`${LOOKUPS[named]} = any(${asked}::text[]) ${locked}`)
  return new Set(found.map(({ id }) => id))
}

/** Inserts rows in the order of the array, so that of two with one id the first is added. */
function insert(ctx: Ctx, kind: RecordKind, rows: Row[]): Promise<{ id: string }[]> {
  const fields = Object.keys(rows[0] ?? {}).map((field) => ({ field, column: columnOf(field) }))
  const given = rows.map((row) => Object.fromEntries(fields.map(({ field, column }) => [column, row[field]])))
  const table = sql.raw(kind.table)
  const columns = sql.raw(fields.map(({ column }) => column).join(', '))
  const effects = (kind.effects ?? []).map((effect, index) => sql`, ${sql.raw(`effect_${index}`)} as (${effect})`)
  return query(
    ctx,
    sql`
    with added as (
      insert into ${table} (${columns})
      select ${columns} from json_populate_recordset(null::${table}, ${JSON.stringify(given)}::json)
      on conflict (${sql.raw(kind.id.join(', '))}) do nothing
      returning *)
    ${effects.length === 0 ? sql.empty : sql.join(effects, ' ')}
    select ${sql.raw(kind.id[0])} as id from added`,
  )
}

/** The message for a record whose own values the database rejects; any other error is not the record's fault. */
function rejectionReason(error: unknown): string | undefined {
  const state = sqlStateOf(error)
  if (state === undefined) return undefined
  if (state === UNIQUE_VIOLATION) return 'profileHandle: Already taken by another user'
  if (state === LIMIT_EXCEEDED) return 'An ID or name is too long to be indexed'
  return DATA_EXCEPTION.test(state) ? `The database rejects a value (SQLSTATE ${state})` : undefined
}

const LIMIT_EXCEEDED = '54000'
/** Classes 22 and 23: values that do not fit, and violated constraints. */
const DATA_EXCEPTION = /^2[23]/
