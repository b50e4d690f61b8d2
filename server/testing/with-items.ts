import type { Database } from '#server/core/database/open-database.ts'
import { inTransaction, query, sql } from '#server/core/db.ts'
import type { PrismaClient } from '#server/core/prisma/client.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import { eraseItems, putItems } from '#server/modules/content/items/put-items.ts'
import { systemCtx } from '#server/testing/ctx.ts'

const TABLES = {
  comment: { id: 'comment_id', field: 'commentId' },
  post: { id: 'post_id', field: 'postId' },
} as const

/**
 * The database, where comments and posts that a test writes with Prisma, or with SQL that it gives to the pool as text, get their items, as if the
 * program had written them. The program's own statements are objects, and put their items themselves.
 */
export function withItems(database: Database): Database {
  const putAfter = (type: HeldType) => ({
    async $allOperations({ operation, args, query }: Operation): Promise<unknown> {
      const result = await query(args)
      const id = (result as Record<string, unknown> | null)?.[TABLES[type].field]
      if (operation.startsWith('delete')) await eraseOrphans(database, type)
      else if (WRITES.test(operation))
        await (typeof id === 'string' ? lockAndPut(database, type, [id]) : putAllItems(database, type))
      return result
    },
  })
  const putAllAfter = {
    async $allOperations({ operation, args, query }: Operation): Promise<unknown> {
      const result = await query(args)
      if (WRITES.test(operation)) await putAllItems(database)
      return result
    },
  }
  const prisma = database.prisma.$extends({
    query: {
      comment: putAfter('comment'),
      post: putAfter('post'),
      signal: putAllAfter,
      ruleMatch: putAllAfter,
    },
  })
  const pool = new Proxy(database.pool, {
    get: (target, key) => (key === 'query' ? queryAndPut : Reflect.get(target, key, target)),
  })
  async function queryAndPut(...[statement, ...rest]: [unknown, ...unknown[]]): Promise<unknown> {
    const result = await Reflect.apply(database.pool.query, database.pool, [statement, ...rest])
    if (typeof statement === 'string' && WRITES_CONTENT.test(statement)) await putAllItems(database)
    return result
  }
  return { ...database, pool, prisma: prisma as unknown as PrismaClient }
}

const WRITES_CONTENT = /\b(insert into|update|delete from) (comment|post|signal|rule_match)\b/i

const WRITES = /^(create|update|upsert)/

interface Operation {
  operation: string
  args: unknown
  query: (args: unknown) => Promise<unknown>
}

async function putAllItems(database: Database, type?: HeldType): Promise<void> {
  for (const one of type ? [type] : (['comment', 'post'] as const)) {
    const { rows } = await database.pool.query<{ id: string }>(`select ${TABLES[one].id} as id from ${one}`)
    await lockAndPut(
      database,
      one,
      rows.map(({ id }) => id),
    )
    await eraseOrphans(database, one)
  }
}

/** As the program does, which changes content and its item under one lock. */
function lockAndPut(database: Database, type: HeldType, ids: string[]): Promise<void> {
  return inTransaction(systemCtx(database), async (ctx) => {
    const { id } = TABLES[type]
    await query(
      ctx,
      sql`select from ${sql.raw(type)} where ${sql.raw(id)} = any(${ids}::text[]) order by ${sql.raw(id)} for update`,
    )
    await putItems(ctx, type, ids)
  })
}

async function eraseOrphans(database: Database, type: HeldType): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select subject_id as id from review_item i
     where i.subject_type = '${type}' and i.kind = 'held' and not exists (select from ${type} where ${TABLES[type].id} = i.subject_id)`,
  )
  await eraseItems(
    systemCtx(database),
    type,
    rows.map(({ id }) => id),
  )
}
