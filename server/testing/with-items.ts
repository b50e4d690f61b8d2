import type { Database } from '#server/core/database/open-database.ts'
import { inTransaction, query, sql } from '#server/core/db.ts'
import type { PrismaClient } from '#server/core/prisma/client.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import { eraseItems, lockPostsOf, putItems } from '#server/modules/content/items/put-items.ts'
import { systemCtx } from '#server/testing/ctx.ts'

const TABLES = {
  comment: { id: 'comment_id', field: 'commentId' },
  post: { id: 'post_id', field: 'postId' },
} as const
const TYPES = ['comment', 'post'] as const

/**
 * The database, where comments and posts that a test writes with Prisma, or with SQL that it gives to the pool as text, get their items, as if the
 * program had written them. The program's own statements are objects, and put their items themselves.
 */
export function withItems(database: Database): Database {
  if (WITH_ITEMS.has(database)) return database
  const putAfter = (type: HeldType) => ({
    async $allOperations({ operation, args, query }: Operation): Promise<unknown> {
      const before = operation === 'updateMany' ? await idsWhere(database, type, args.where) : []
      const result = await query(args)
      if (operation.startsWith('delete')) await eraseOrphans(database, type)
      else if (WRITES.test(operation))
        await lockAndPut(database, type, [...before, ...valuesIn([args.data, result], TABLES[type].field)])
      return result
    },
  })
  const putSubjects = {
    async $allOperations({ operation, args, query }: Operation): Promise<unknown> {
      const result = await query(args)
      if (WRITES.test(operation))
        for (const type of TYPES) await lockAndPut(database, type, valuesIn([args.data, result], 'subjectId'))
      return result
    },
  }
  const prisma = database.prisma.$extends({
    query: { comment: putAfter('comment'), post: putAfter('post'), signal: putSubjects, ruleMatch: putSubjects },
  })
  const pool = new Proxy(database.pool, {
    get: (target, key) => (key === 'query' ? queryAndPut : Reflect.get(target, key, target)),
  })
  async function queryAndPut(...[statement, ...rest]: [unknown, ...unknown[]]): Promise<unknown> {
    const result = await Reflect.apply(database.pool.query, database.pool, [statement, ...rest])
    if (typeof statement === 'string' && WRITES_CONTENT.test(statement)) await putAllItems(database)
    return result
  }
  const withThem = { ...database, pool, prisma: prisma as unknown as PrismaClient }
  WITH_ITEMS.add(withThem)
  return withThem
}

const WITH_ITEMS = new WeakSet<Database>()

const WRITES = /^(create|update|upsert)/
const WRITES_CONTENT = /\b(insert into|update|delete from) (comment|post|signal|rule_match)\b/i

interface Operation {
  operation: string
  args: { data?: unknown; where?: unknown }
  query: (args: unknown) => Promise<unknown>
}

async function idsWhere({ prisma }: Database, type: HeldType, where: unknown): Promise<string[]> {
  const found = await (type === 'comment'
    ? prisma.comment.findMany({ where: where as object, select: { commentId: true } })
    : prisma.post.findMany({ where: where as object, select: { postId: true } }))
  return valuesIn(found, TABLES[type].field)
}

/** The texts under a key of rows, or of lists of them. */
function valuesIn(rows: unknown[], key: string): string[] {
  const values = rows.flat().map((row) => (row as Record<string, unknown> | null | undefined)?.[key])
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}

/** Of many rows the planner has statistics, as autovacuum would have collected them: tests run without it. */
async function putAllItems(database: Database): Promise<void> {
  let written = 0
  for (const type of TYPES) {
    const { rows } = await database.pool.query<{ id: string }>(`select ${TABLES[type].id} as id from ${type}`)
    const ids = valuesIn(rows, 'id')
    written += ids.length
    await lockAndPut(database, type, ids)
    await eraseOrphans(database, type)
  }
  if (written >= MANY)
    for (const table of ['comment', 'post', 'review_item', 'review_facet', 'signal', 'community', 'network_user'])
      await database.pool.query(`begin; set local statement_timeout = 0; analyze ${table}; commit`)
}

const BATCH = 500
const MANY = 1_000

/** In parts: a busy machine needs longer for all of many than a statement may take. */
async function lockAndPut(database: Database, type: HeldType, ids: string[]): Promise<void> {
  for (let first = 0; first < ids.length; first += BATCH)
    await lockAndPutSome(database, type, ids.slice(first, first + BATCH))
}

/** As the program does, which changes content and its item under one lock. */
async function lockAndPutSome(database: Database, type: HeldType, ids: string[]): Promise<void> {
  await inTransaction(systemCtx(database), async (ctx) => {
    const [table, id] = [sql.raw(type), sql.raw(TABLES[type].id)]
    await query(ctx, sql`select from ${table} where ${id} = any(${ids}::text[]) order by ${id} for update`)
    await putItems(ctx, type, type === 'post' ? [...ids, ...(await lockPostsOf(ctx, ids))] : ids)
  })
}

async function eraseOrphans(database: Database, type: HeldType): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select subject_id as id from review_item i
     where i.subject_type = '${type}' and i.kind = 'held' and not exists (select from ${type} where ${TABLES[type].id} = i.subject_id)`,
  )
  await eraseItems(systemCtx(database), type, valuesIn(rows, 'id'))
}
