import type { Pool } from 'pg'
import { test as base, expect } from 'vitest'
import { findDrift } from './find-drift.ts'
import { withScratchDatabase } from './scratch-database.ts'

const SCHEMA = `
datasource db {
  provider = "postgresql"
}

enum Colour {
  red
  green

  @@map("colour")
}

model Shelf {
  id    String @id
  books Book[]

  @@map("shelf")
}

model Book {
  id      String   @id
  title   String
  colour  Colour   @default(red)
  tags    String[]
  printed DateTime @default(now()) @db.Timestamptz(3)
  shelfId String   @map("shelf_id")
  shelf   Shelf    @relation(fields: [shelfId], references: [id], onDelete: Cascade)

  @@index([title])
  @@map("book")
}
`
const MIGRATED = `
create type colour as enum ('red', 'green');
create table shelf (id text primary key);
create table book (
  id text primary key,
  title text not null,
  colour colour not null default 'red',
  tags text[],
  printed timestamptz(3) not null default current_timestamp,
  shelf_id text not null references shelf (id) on delete cascade on update cascade
);
create index book_title_idx on book (title);
`

const test = base.extend<{ pool: Pool }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  pool: async ({}, use) =>
    withScratchDatabase(
      () => {},
      async (pool) => {
        await pool.query(MIGRATED)
        await use(pool)
      },
    ),
})

test('a database that matches schema.prisma has no drift', async ({ pool }) => {
  expect(await findDrift(pool, { schema: SCHEMA, catalogue: [] })).toEqual({
    sql: '',
    catalogue: [],
    missing: [],
    surplus: [],
  })
})

test.for<[what: string, change: string, sql: string]>([
  ['a column too few', 'alter table book drop tags', 'ADD COLUMN     "tags" TEXT[]'],
  ['a column too many', 'alter table book add pages int', 'DROP COLUMN "pages"'],
  [
    'another type',
    'alter table book alter printed type timestamptz(6)',
    'ALTER COLUMN "printed" SET DATA TYPE TIMESTAMPTZ(3)',
  ],
  ['another default', "alter table book alter colour set default 'green'", `ALTER COLUMN "colour" SET DEFAULT 'red'`],
  ['a null let in', 'alter table book alter title drop not null', 'ALTER COLUMN "title" SET NOT NULL'],
  ['a value of an enum too few', "alter type colour rename value 'green' to 'blue'", `'green'`],
  ['an index too few', 'drop index book_title_idx', 'CREATE INDEX "book_title_idx"'],
  ['an index nobody names', 'create index stray on book (id, title)', 'DROP INDEX "stray"'],
  ['a table nobody names', 'create table stray (id text primary key)', 'DROP TABLE "stray"'],
])('reports %s as drift, with the SQL that fixes it', async ([, change, mended], { pool }) => {
  await pool.query(change)

  expect((await findDrift(pool, { schema: SCHEMA, catalogue: [] })).sql).toContain(mended)
})

test.for<[what: string, change: string, line: string]>([
  [
    'a check',
    "alter table book add constraint titled check (title <> '')",
    "constraint book.titled CHECK ((title <> ''::text))",
  ],
  [
    'a partial index',
    "create index red on book (title) where colour = 'red'",
    "index red book USING btree (title) WHERE (colour = 'red'::colour)",
  ],
  [
    'an index on an expression',
    'create unique index lower on book (lower(title))',
    'index lower UNIQUE book USING btree (lower(title))',
  ],
  ['a GIN index', 'create index tagged on book using gin (tags)', 'index tagged book USING gin (tags)'],
  [
    'an index with columns riding along',
    'create index rich on book (colour) include (title)',
    'index rich book USING btree (colour) INCLUDE (title)',
  ],
  ['an extension', 'create extension citext', 'extension citext'],
  ['a view', 'create view titles as select title from book', 'view titles SELECT title FROM book;'],
  ['a collation', 'alter table book alter title type text collate "C"', 'collation book.title C'],
  ['a storage setting', 'alter table book set (fillfactor = 80)', 'storage book fillfactor=80'],
])('accepts %s once catalogue.txt names it, and reports it when it is gone', async ([, change, line], { pool }) => {
  await pool.query(change)

  const found = await findDrift(pool, { schema: SCHEMA, catalogue: [] })
  expect(found.surplus).toEqual([line])
  expect(await findDrift(pool, { schema: SCHEMA, catalogue: found.catalogue })).toEqual({
    ...found,
    sql: '',
    surplus: [],
  })
  expect((await findDrift(pool, { schema: SCHEMA, catalogue: [...found.catalogue, 'view gone'] })).missing).toEqual([
    'view gone',
  ])
})

test('accepts a table that only the migrations define, with its columns, keys and indexes', async ({ pool }) => {
  await pool.query(
    'create table waiting (id bigint primary key, book text not null references book (id)); create index on waiting (book)',
  )

  const { catalogue } = await findDrift(pool, { schema: SCHEMA, catalogue: [] })
  expect(catalogue).toEqual([
    'column waiting.book text not null',
    'column waiting.id bigint not null',
    'constraint waiting.waiting_book_fkey FOREIGN KEY (book) REFERENCES book(id)',
    'constraint waiting.waiting_pkey PRIMARY KEY (id)',
    'index waiting_book_idx waiting USING btree (book)',
    'table waiting',
  ])
  expect(await findDrift(pool, { schema: SCHEMA, catalogue })).toMatchObject({ sql: '', missing: [], surplus: [] })
})

test('notices a changed function or trigger by its text', async ({ pool }) => {
  const define = (answer: number) =>
    `create or replace function answer() returns int language sql as 'select ${answer}'`
  await pool.query(define(1))
  const { catalogue } = await findDrift(pool, { schema: SCHEMA, catalogue: [] })
  await pool.query(define(2))

  const { missing, surplus } = await findDrift(pool, { schema: SCHEMA, catalogue })
  expect(missing).toEqual(catalogue)
  expect(surplus).toEqual([expect.stringMatching(/^function answer\(\) returns integer language sql volatile md5 /)])
})
