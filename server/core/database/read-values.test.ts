import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { readTexts, readTimestamp } from '#server/core/database/read-values.ts'

describe('a timestamp of PostgreSQL', () => {
  test.each([
    ['2026-01-31 09:05:07.123+00', '2026-01-31T09:05:07.123Z'],
    ['2026-01-31 09:05:07.1+00', '2026-01-31T09:05:07.100Z'],
    ['2026-01-31 09:05:07.029+00', '2026-01-31T09:05:07.029Z'],
    ['2026-01-31 09:05:07+00', '2026-01-31T09:05:07.000Z'],
    ['2024-02-29 23:59:59.999999+00', '2024-02-29T23:59:59.999Z'],
    ['1000-01-01 00:00:00+00', '1000-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ])('%s is read to the millisecond', (text, instant) => {
    expect(readTimestamp(text)).toEqual(new Date(instant))
  })

  test.each([
    '0001-01-01 00:00:00+00',
    '0099-12-31 23:59:59.5+00',
    '12026-01-31 09:05:07.5+00',
    '0044-03-15 12:00:00+00 BC',
    '1066-10-14 09:00:00+00 BC',
    '2026-01-31 14:35:07.25+05:30',
    '2026-01-31 02:05:07.25-07',
    '1880-01-01 00:00:00.5+00:53:28',
    'infinity',
    '-infinity',
  ])('%s is read as the library reads it', (text) => {
    expect(readTimestamp(text)).toEqual(pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text))
  })
})

describe('an array of texts', () => {
  test.each([
    ['{}', []],
    ['{text}', ['text']],
    ['{text,image}', ['text', 'image']],
    ['{é,日本,🦀}', ['é', '日本', '🦀']],
    ['{null,Null}', ['null', 'Null']],
    ['{"a, b",c}', ['a, b', 'c']],
    ['{"say \\"hi\\"","back\\\\slash"}', ['say "hi"', 'back\\slash']],
    ['{"",NULL,"NULL"}', ['', null, 'NULL']],
    ['{NULLABLE}', ['NULLABLE']],
    ['{"{a}"}', ['{a}']],
    [
      '{{a,b},{c,d}}',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['[0:1]={a,b}', ['a', 'b']],
  ])('%s is read whole', (text, values) => {
    expect(readTexts(text)).toEqual(values)
  })
})
