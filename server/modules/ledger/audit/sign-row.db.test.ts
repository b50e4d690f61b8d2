import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { query, sql } from '#server/core/db.ts'
import { recordAudit, recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { epochSeconds, isSigned, macOf, STORED_COLUMNS, type StoredRow } from '#server/modules/ledger/audit/sign-row.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { randomNumbers } from '#server/testing/random.ts'

const { database } = await testDatabase()
const system = systemCtx(database)
const { below, fraction, oneOf } = randomNumbers()

const ODD = [
  '',
  ' ',
  '"',
  '\\',
  '\b\f\n\r\t',
  '\u0001\u001f\u007f',
  '\u2028\u2029',
  'é',
  'e\u0301',
  '🙂',
  '\uffff',
  '\ud7ff',
  "'",
  '%',
  '–',
  'я',
  '０',
  'ordinary words',
]
const NUMBERS = [0, -0, 1, -1, 0.1, 1e-7, -1.5e-9, 1e21, 1.7976931348623157e308, 5e-324, 123456789.123, 2 ** 53]
const oddText = () => Array.from({ length: below(6) }, () => oneOf(ODD)).join('')

function oddValue(depth = 0): unknown {
  switch (below(depth > 2 ? 5 : 7)) {
    case 0:
      return null
    case 1:
      return oddText()
    case 2:
      return oneOf([...NUMBERS, fraction() * 10 ** (below(60) - 30)])
    case 3:
      return below(2) === 1
    case 4:
      return undefined
    case 5:
      return Array.from({ length: below(4) }, () => oddValue(depth + 1))
    default:
      return oddObject(depth + 1)
  }
}

function oddObject(depth = 0): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: below(6) }, () => [oddText(), oddValue(depth)]))
}

function oddAct(subjectType: string) {
  return {
    action: oddText(),
    subjectType,
    subjectId: oddText(),
    communityId: oneOf([null, oddText()]),
    channelId: oneOf([null, oddText()]),
    ...(below(2) === 1 && { before: oddObject() }),
    ...(below(2) === 1 && { after: oddObject() }),
  }
}

const MOMENTS = [
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '1901-02-03T04:05:06.007Z',
  '2024-02-29T23:59:59.999Z',
  '2026-11-22T10:00:00.120Z',
  '2038-01-19T03:14:08Z',
]

test('signs exactly what it reads back', async () => {
  const subjectType = randomUUID()
  for (let index = 0; index < 60; index += 1) {
    const ctx = { ...system, now: () => new Date(oneOf(MOMENTS)), requestId: oddText() }
    await recordAudit(ctx, { ...oddAct(subjectType), ...(below(2) === 1 && { text: oddText() }) })
    await recordAudits(
      ctx,
      Array.from({ length: 10 }, () => oddAct(subjectType)),
    )
  }
  const rows = await query<StoredRow>(
    system,
    sql`select ${STORED_COLUMNS} from audit a where subject_type = ${subjectType}`,
  )
  expect(rows).toHaveLength(660)
  for (const row of rows) expect([row, isSigned(system.auditKey, row)]).toEqual([row, true])
})

test('a signature is valid for one row alone: any other value, or any other split of the same text, has another', () => {
  expect(epochSeconds(new Date(-1))).toBe('-0.001000')
  expect(epochSeconds(new Date('2026-11-22T10:00:00.120Z'))).toBe('1795341600.120000')
  const mac = (fields: (string | null)[]) => macOf(system.auditKey, 'test', fields).toString('hex')
  const all = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['abc', null], ['abc', '-'], [null, 'abc']].map(mac)
  expect(new Set(all).size).toBe(all.length)
})
