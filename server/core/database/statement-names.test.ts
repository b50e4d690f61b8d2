import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { forgetStatements, NO_PREPARE, namedStatement, UNNAMED } from '#server/core/database/statement-names.ts'

const byId = (table: string, id: number) => sql`select ${sql`name, ${table}`} from thing where id = ${id}`

test('the same statement has the same name and the same text at every call, whatever its values', () => {
  const first = namedStatement(byId('a', 1))
  expect(first.text).toBe('select name, $1 from thing where id = $2')
  expect(namedStatement(byId('b', 2))).toBe(first)
})

test('statements that differ in one piece have different names', () => {
  const names = [
    sql`select ${1} from one`,
    sql`select ${1} from two`,
    sql`select ${1}, ${2} from one`,
    sql`select from one`,
  ]
  expect(new Set(names.map((statement) => namedStatement(statement).name)).size).toBe(4)
})

test('pieces that were put together differently are the same statement', () => {
  const [whole, nested] = [
    sql`select name from thing where id = ${1}`,
    sql`select ${sql`name`} from thing where id = ${1}`,
  ]
  expect(namedStatement(nested).name).toBe(namedStatement(whole).name)
})

test('a statement has a new name once statements are forgotten', () => {
  const { name } = namedStatement(byId('a', 1))
  forgetStatements()
  expect(namedStatement(byId('a', 1)).name).not.toBe(name)
})

test('a statement that is planned at each call has no name', () => {
  expect(namedStatement(sql`select ${1} ${NO_PREPARE}`).name).toBe(UNNAMED)
})
