import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseClient } from '#server/core/database/database-client.ts'
import { openPool } from '#server/core/database/open-database.ts'
import { testDatabase } from '#server/testing/database.ts'

const { url } = await testDatabase()

/** A client whose statements are sent before the ones in front of them are answered, and how often it asked for their columns. */
async function connect() {
  const client = new DatabaseClient({ connectionString: url, pipeline: true })
  const asked = vi.spyOn(client.connection as unknown as { describe(): void }, 'describe')
  await client.connect()
  onTestFinished(() => client.end())
  return { client, asked }
}

const EVEN = { name: 'even', text: `select n, n % 2 = 0 as "isEven", now() as at from generate_series(1, $1::int) n` }

test('a prepared statement is described once on its connection, and its rows are read the same each time', async () => {
  const { client, asked } = await connect()
  const [first, second, third] = [
    await client.query({ ...EVEN, values: [2] }),
    await client.query({ ...EVEN, values: [3] }),
    await client.query({ ...EVEN, values: [2], rowMode: 'array' }),
  ]
  expect(asked).toHaveBeenCalledTimes(1)
  expect(first.rows).toEqual([
    { n: 1, isEven: false, at: expect.any(Date) },
    { n: 2, isEven: true, at: expect.any(Date) },
  ])
  expect(second.rows).toHaveLength(3)
  expect(third.rows).toEqual([
    [1, false, expect.any(Date)],
    [2, true, expect.any(Date)],
  ])
  expect(third.fields).toEqual(first.fields)
})

test('statements that are sent together, one of which fails, each get their own rows', async () => {
  const { client } = await connect()
  const share = (by: number) => client.query({ name: 'share', text: 'select 6 / $1::int as share', values: [by] })
  const words = () => client.query({ name: 'words', text: `select 'a' as one, 'b' as other`, values: [] })
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.allSettled([share(2), words(), share(0), share(3), words()])
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value.rows : one.reason.message))).toEqual([
      [{ share: 3 }],
      [{ one: 'a', other: 'b' }],
      'division by zero',
      [{ share: 2 }],
      [{ one: 'a', other: 'b' }],
    ])
  }
})

test('each reader of a statement gets its values by its own types', async () => {
  const { client } = await connect()
  const types = { getTypeParser: () => (value: string) => `read: ${value}` }
  const read = (own: object) => client.query({ name: 'number', text: 'select 7 as seven', values: [], ...own })
  expect((await read({})).rows).toEqual([{ seven: 7 }])
  expect((await read({ types })).rows).toEqual([{ seven: 'read: 7' }])
  expect((await read({})).rows).toEqual([{ seven: 7 }])
})

test('a statement whose columns have changed since is rejected, and under another name has the new ones', async () => {
  const { client } = await connect()
  await client.query('create temporary table word (text text)')
  await client.query(`insert into word values ('a')`)
  const read = (name: string) => client.query({ name, text: 'select * from word', values: [] })
  for (const name of ['first', 'first']) expect((await read(name)).rows).toEqual([{ text: 'a' }])
  await client.query('alter table word add column length int default 1')
  await expect(read('first')).rejects.toThrow('cached plan must not change result type')
  for (const name of ['second', 'second']) expect((await read(name)).rows).toEqual([{ text: 'a', length: 1 }])
})

test('through a pooler a statement is described each time, as it may be prepared again with other columns', async () => {
  const { pool, nameStatements } = openPool({ url, connections: 1, isPooled: true, onError: () => {} })
  onTestFinished(() => pool.end())
  nameStatements()
  const client = await pool.connect()
  const asked = vi.spyOn(client.connection as unknown as { describe(): void }, 'describe')
  for (const values of [[1], [2]]) expect((await client.query({ ...EVEN, values })).rows).toHaveLength(values[0] ?? 0)
  expect(asked).toHaveBeenCalledTimes(2)
  client.release()
})
