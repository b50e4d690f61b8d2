import { expect, test } from 'vitest'
import { toJsonbText } from '#server/modules/ledger/audit/jsonb-text.ts'

test('writes objects as PostgreSQL does: short keys first, a space after each colon and comma, no exponents', () => {
  expect(toJsonbText({ bb: 1, a: [true, null, 'x"\n'], ä: undefined, ab: { é: -0 } })).toBe(
    '{"a": [true, null, "x\\"\\n"], "ab": {"é": 0}, "bb": 1}',
  )
  expect(toJsonbText([1e21, -1.5e-7, 1.25e21, 123.456, 5e-324])).toBe(
    `[1000000000000000000000, -0.00000015, 1250000000000000000000, 123.456, 0.${'0'.repeat(323)}5]`,
  )
  expect(toJsonbText({ at: new Date(0) })).toBe('{"at": "1970-01-01T00:00:00.000Z"}')
})
