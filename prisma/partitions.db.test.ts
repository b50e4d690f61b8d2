import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { scaled } from '#server/testing/scaled.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { withScratchDatabase } from './scratch-database.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
const OF_THE_PARTITIONS = /_event_(seq|0_upto|0_upto_valid|partitions)$/
const ROWS = 20_000

test('a database with events is partitioned while others write, also if it is interrupted after any migration', async () => {
  await withScratchDatabase(
    () => {},
    async (pool) => {
      const names = (await readdir(MIGRATIONS)).filter((name) => !name.endsWith('.toml')).sort()
      const before = names.filter((name) => !OF_THE_PARTITIONS.test(name))
      await migrate(pool, () => {}, await folderOf(before))
      await fill(pool, scaled(ROWS))
      const writing = startWriting(pool)

      const ofThePartitions = names.filter((name) => OF_THE_PARTITIONS.test(name))
      for (const [index] of ofThePartitions.entries())
        await migrate(pool, () => {}, await folderOf([...before, ...ofThePartitions.slice(0, index + 1)]))
      await migrate(pool, () => {})

      const { written, slowestMs } = await writing.stop()
      expect(await pendingMigrations(pool)).toEqual([])
      expect(written).toBeGreaterThan(0)
      expect(slowestMs).toBeLessThan(1_000)
      const { rows } = await pool.query(`
        select count(*)::int as total, count(distinct event_id)::int as ids, count(distinct tableoid)::int as partitions from event`)
      expect(rows).toEqual([{ total: scaled(ROWS) + written, ids: scaled(ROWS) + written, partitions: 1 }])
    },
  )
})

async function folderOf(names: string[]): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-migrations-'))
  for (const name of names) await cp(new URL(name, MIGRATIONS), join(folder, name), { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true }))
  return pathToFileURL(`${folder}/`)
}

const INSERT = `insert into event (name, subject_type, subject_id, payload, state, created_at, releases_at)`

async function fill(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `${INSERT} select 'channel.didBan', 'channel', 'c', '{}', 'released', now(), now() from generate_series(1, $1)`,
    [count],
  )
}

function startWriting(pool: Pool) {
  let isStopped = false
  const writing = (async () => {
    let [written, slowestMs] = [0, 0]
    while (!isStopped) {
      const startedAt = performance.now()
      await fill(pool, 1)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      written += 1
      await sleep(1)
    }
    return { written, slowestMs }
  })()
  return {
    stop: () => {
      isStopped = true
      return writing
    },
  }
}
