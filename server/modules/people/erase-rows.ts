import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { eraseTexts } from '#server/modules/ledger/audit/erase-texts.ts'
import { isOf, PERSONAL_DATA, type PersonalDataColumn } from '#server/modules/people/personal-data-map.ts'

/** Erases the next rows that hold a person's data, or their words in them, column by column. Returns how many there were. */
export async function eraseRows(ctx: Ctx, userId: string): Promise<number> {
  for (const [table, columns] of Object.entries(PERSONAL_DATA)) {
    for (const [column, entry] of Object.entries(columns)) {
      if (entry.erases === undefined) continue
      const erased = await eraseNext(ctx, { table, isTheirs: isOf(column, entry, userId), erases: entry.erases })
      if (erased > 0) return erased
    }
  }
  return 0
}

interface RowsToErase {
  table: string
  isTheirs: Sql
  erases: NonNullable<PersonalDataColumn['erases']>
}

async function eraseNext(ctx: Ctx, { table, isTheirs, erases }: RowsToErase): Promise<number> {
  const next = (isLeft: Sql) => sql`t.ctid = any(array(
    select t.ctid from ${sql.raw(table)} t where ${isTheirs} and ${isLeft}
    ${sql.raw(`limit ${BATCH_SIZE}`)}))`
  if (erases === 'words') return eraseTexts(ctx, next(sql`t.text is not null`))
  if (erases === 'row') {
    return execute(ctx, sql`delete from ${sql.raw(table)} t where ${next(sql`true`)}`)
  }
  const columns = Object.keys(erases)
  const isLeft = sql.raw(
    `(${columns.map((column) => `t.${column} is distinct from (${erases[column]})`).join(' or ')})`,
  )
  return execute(
    ctx,
    sql`
    update ${sql.raw(table)} t set ${sql.raw(columns.map((column) => `${column} = ${erases[column]}`).join(', '))}
    where ${next(isLeft)}`,
  )
}
