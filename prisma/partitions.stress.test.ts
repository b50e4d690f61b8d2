import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'
import { scaled } from '#server/testing/scaled.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { withScratchDatabase } from './scratch-database.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
const ROWS = 20_000

interface Partitioned {
  table: string
  migrations: RegExp
  /** Adds as many rows, each with the next number. */
  insert: string
}

const EVENTS: Partitioned = {
  table: 'event',
  migrations: /_event_(seq|0_upto|0_upto_valid|partitions)$/,
  insert: `
    insert into event (name, subject_type, subject_id, payload, state, created_at, releases_at)
    select 'channel.didBan', 'channel', 'c', '{}', 'released', now(), now() from generate_series(1, $1)`,
}

const DELIVERIES: Partitioned = {
  table: 'delivery',
  migrations: /_delivery_(upto|upto_valid|partitions)$/,
  insert: `
    with endpoint as (
      insert into webhook_endpoint (endpoint_id, url, events, secret, created_at, updated_at) values ('e', 'https://example.com', '{}', '', now(), now())
      on conflict do nothing),
    last as (select coalesce(max(event_seq), 0) as seq from delivery),
    delivered as (
      insert into delivery (delivery_id, endpoint_id, event_seq, event_name, subject_type, subject_id, created_at)
      select (lpad(to_hex(seq + n), 16, '0') || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid::text, 'e', seq + n,
        'channel.didBan', 'channel', 'c', now()
      from last, generate_series(1, $1) n returning delivery_id)
    insert into delivery_try (delivery_id, number, is_last, started_at) select delivery_id, 1, false, now() from delivered`,
}

test.for([
  EVENTS,
  DELIVERIES,
])('$table of a database in use is partitioned while others write, also if it is interrupted after any migration', async (partitioned) => {
  await withScratchDatabase(
    () => {},
    async (pool) => {
      const names = (await readdir(MIGRATIONS)).filter((name) => !name.endsWith('.toml')).sort()
      const ofThePartitions = names.filter((name) => partitioned.migrations.test(name))
      const before = names.slice(0, names.indexOf(ofThePartitions[0] ?? ''))
      await migrate(pool, () => {}, await folderOf(before))
      await pool.query(partitioned.insert, [scaled(ROWS)])
      const writing = startWriting(pool, partitioned)

      for (const [index] of ofThePartitions.entries()) {
        await writing.goesOn()
        await migrate(pool, () => {}, await folderOf([...before, ...ofThePartitions.slice(0, index + 1)]))
      }
      await writing.goesOn()
      await migrate(pool, () => {})

      const written = await writing.stop()
      expect(await pendingMigrations(pool)).toEqual([])
      const { rows } = await pool.query(`
        select count(*)::int as total, count(distinct t)::int as rows, count(distinct tableoid)::int as partitions from ${partitioned.table} t`)
      expect(rows).toEqual([{ total: scaled(ROWS) + written, rows: scaled(ROWS) + written, partitions: 1 }])
    },
  )
})

test('an older version that deletes a delivery deletes its attempts, and attempts of others stay', async () => {
  await withScratchDatabase(
    () => {},
    async (pool) => {
      await migrate(pool, () => {})
      await pool.query(DELIVERIES.insert, [3])
      await pool.query('delete from delivery where event_seq = 2')
      const { rows } = await pool.query(
        'select event_seq::int as seq, number from delivery join delivery_try using (delivery_id) order by 1',
      )
      expect(rows).toEqual([
        { seq: 1, number: 1 },
        { seq: 3, number: 1 },
      ])
      expect((await pool.query('select from delivery_try')).rowCount).toBe(2)
    },
  )
})

async function folderOf(names: string[]): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-migrations-'))
  for (const name of names) await cp(new URL(name, MIGRATIONS), join(folder, name), { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true }))
  return pathToFileURL(`${folder}/`)
}

function startWriting(pool: Pool, { insert }: Partitioned) {
  let isStopped = false
  let written = 0
  const writing = (async () => {
    while (!isStopped) {
      await pool.query(insert, [1])
      written += 1
      await sleep(1)
    }
  })()
  return {
    goesOn: async () => {
      const before = written
      await Promise.race([writing, eventually('another row is written', () => written).toBeGreaterThan(before)])
    },
    stop: async () => {
      isStopped = true
      await writing
      return written
    },
  }
}
