import { expect, test } from 'vitest'
import { csvLine } from '#server/core/csv.ts'
import { query, sql } from '#server/core/db.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()

const STARTS = [
  '',
  ';',
  'a;',
  'a;=',
  ';;',
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '＝',
  '＋',
  '－',
  '＠',
  "'",
  '"',
  ',',
  ' ',
  'ß',
  '١',
]
const ENDS = ['', 'a', '1+1', 'a,b', 'a"b', 'a\r\nb', "'", ' ']

/** The database quotes every text, the program only where needed: the value is what a reader of the file gets. */
function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

test('a cell has the same value from the program and from the database', async () => {
  const cells = STARTS.flatMap((start) => ENDS.map((end) => `${start}${end}`))
  const rows = await query<{ cell: string }>(
    systemCtx(database),
    sql`select csv_cell(cell) as cell from unnest(${cells}::text[]) with ordinality as given(cell, place) order by place`,
  )
  expect(cells.map((cell) => unquoted(csvLine([cell]).slice(0, -2)))).toEqual(rows.map(({ cell }) => unquoted(cell)))
})
