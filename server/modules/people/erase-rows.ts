import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, type Sql } from '#server/core/db.ts'
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
  const next = (isLeft: Sql) => Prisma.sql`t.ctid = any(array(
    select t.ctid from ${Prisma.raw(table)} t where ${isTheirs} and ${isLeft}
    ${Prisma.raw(`limit ${BATCH_SIZE}`)}))`
  if (erases === 'words') return eraseTexts(ctx, next(Prisma.sql`t.text is not null`))
  if (erases === 'row') {
    const gone = await query(
      ctx,
      Prisma.sql`delete from ${Prisma.raw(table)} t where ${next(Prisma.sql`true`)} returning 1 as gone`,
    )
    return gone.length
  }
  const columns = Object.keys(erases)
  const isLeft = Prisma.raw(
    `(${columns.map((column) => `t.${column} is distinct from (${erases[column]})`).join(' or ')})`,
  )
  const changed = await query(
    ctx,
    Prisma.sql`
    update ${Prisma.raw(table)} t set ${Prisma.raw(columns.map((column) => `${column} = ${erases[column]}`).join(', '))}
    where ${next(isLeft)} returning 1 as changed`,
  )
  return changed.length
}
