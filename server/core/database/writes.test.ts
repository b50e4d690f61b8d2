import { expect, test } from 'vitest'
import { tablesWritten } from '#server/core/database/writes.ts'

test.each([
  ["insert into event (name) values ('x')", ['event']],
  ['update signal s set is_judged = true', ['signal']],
  ['delete from erasure where user_id = $1', ['erasure']],
  [
    'with act as (insert into audit (at) select $1), left_out as (delete from tally_delta) select from act',
    ['audit', 'tally_delta'],
  ],
])('finds the watched tables that a statement changes: %s', (text, tables) => {
  expect(tablesWritten(text)).toEqual(tables)
})

test.each([
  'select from event',
  'select user_id from ban where ends_at <= $1 for no key update',
  'select decision_id from decision for update of decision skip locked',
  "insert into category (category_id) values ('x') on conflict do update set category_id = $1",
])('finds none where it only reads or locks them, or changes others: %s', (text) => {
  expect(tablesWritten(text)).toEqual([])
})
