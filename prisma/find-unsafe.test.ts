import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test as plain } from 'vitest'
import { findUnsafe } from './find-unsafe.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)

const isThere = existsSync(new URL('../node_modules/@squawk-cli', import.meta.url))
if (!isThere) console.log('Skipped, as npm has no Squawk for this machine: whether migrations are safe.')
const test = plain.skipIf(!isThere)

test('no migration after the first one blocks writers, or takes away what the version before it uses without saying so', async () => {
  const names = (await readdir(MIGRATIONS)).filter((name) => !name.endsWith('.toml')).sort()
  for (const name of names.slice(1)) {
    const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8')
    expect(findUnsafe(sql), name).toEqual([])
    const requires = /^-- requires (\S+)$/m.exec(sql)?.[1]
    if (TAKES_AWAY.test(sql)) expect(names.slice(0, names.indexOf(name)), name).toContain(requires)
  }
})

/** What Squawk ignores in a migration that takes something away. Without its NOT NULL, a column is still there to write and to read. */
const TAKES_AWAY = /squawk-ignore.*(ban-drop(?!-not-null)|renaming|changing|not-nullable)/

test.for([
  ['builds an index while writers wait', 'create index a on comment (b);', 'require-concurrent-index-creation'],
  ['drops one while all wait', 'drop index a;', 'require-concurrent-index-deletion'],
  [
    'builds an index concurrently beside other statements',
    'create table a (b int); create index concurrently c on comment (b);',
    'ban-concurrent-index-creation-in-transaction',
  ],
  ['checks all rows under a lock', 'alter table comment add check (b > 0);', 'constraint-missing-not-valid'],
  ['adds a unique constraint', 'alter table comment add unique (b);', 'disallowed-unique-constraint'],
  ['rewrites a table for a type', 'alter table comment alter b type bigint;', 'changing-column-type'],
  ['rewrites a table for a default', 'alter table comment add b uuid default gen_random_uuid();', 'adding-field-with'],
  ['reads a table for not null', 'alter table comment alter b set not null;', 'adding-not-nullable-field'],
  ['needs a value that older versions do not write', 'alter table comment add b int not null;', 'adding-required'],
  ['drops a column', 'alter table comment drop b;', 'ban-drop-column'],
  ['drops a table', 'drop table comment;', 'ban-drop-table'],
  ['renames a column', 'alter table comment rename b to c;', 'renaming-column'],
  ['renames a table', 'alter table comment rename to c;', 'renaming-table'],
])('finds a migration that %s', ([, sql = '', rule]) => {
  expect(findUnsafe(sql)).toContainEqual(expect.stringContaining(`line 1: ${rule}`))
})

test.for([
  ['adds a column', 'alter table comment add b int;'],
  ['adds a column with a constant default', 'alter table comment add b int not null default 1;'],
  ['adds a constraint for new rows', 'alter table comment add constraint c check (b > 0) not valid;'],
  ['then validates it', 'alter table comment validate constraint c;'],
  ['builds an index concurrently', '-- For lists.\ncreate index concurrently a on comment (b);'],
  ['creates a table with an index', 'create table a (b int primary key); create index c on a (b);'],
  ['drops, later, what nothing uses', '-- squawk-ignore ban-drop-column\nalter table comment drop b;'],
])('accepts a migration that %s', ([, sql = '']) => {
  expect(findUnsafe(sql)).toEqual([])
})
