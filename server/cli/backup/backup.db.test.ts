import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { backUp } from '#server/cli/backup/back-up.ts'
import { restore } from '#server/cli/backup/restore.ts'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { keyFor } from '#server/core/secret.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { checksumsOf } from '#server/testing/checksums.ts'
import { systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { recordTestEvent } from '#server/testing/events.ts'
import { eventually } from '#server/testing/eventually.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { asAdmin, databaseUrl } from '#server/testing/global-setup.ts'
import { makeOneOfEverything, makeWorded } from '#server/testing/one-of-everything.ts'
import { runProgram } from '#server/testing/program.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'
import { migrate } from '../../../prisma/migrate.ts'

const server = inject('testServer')
const key = keyFor(TEST_SECRET, 'backups')
const folder = await mkdtemp(path.join(tmpdir(), 'docket-backup-'))
afterAll(() => rm(folder, { recursive: true }))
const newFile = () => path.join(folder, `${randomBytes(4).toString('hex')}.backup`)

const { database, url } = await testDatabase()
const ctx = systemCtx(database)

await (async function fill() {
  const [me, other] = [await makeWorded(database), await makeWorded(database)]
  await makeOneOfEverything(database, me, other)
  for (let index = 0; index < 20; index += 1)
    await recordAudit(ctx, {
      action: 'test.done',
      subjectType: 'test',
      subjectId: String(index),
      text: 'words\t\\.\n…',
    })
  await database.pool.query('update classifier set disabled_at = null, removed_at = null')
  await database.pool.query('update translation_settings set is_on = true')
  // Beyond the first partition of a new database.
  await database.pool.query(`select setval('event_event_id_seq', 30000000)`)
  await recordTestEvent(ctx, 'late', 1)
  await sequenceBatch(ctx, ctx.auditKey)
  const queue = await openDeliveryQueue(ctx)
  const deliveryId = crypto.randomUUID()
  await queue.add(ctx, [{ deliveryId, endpointId: 'an-endpoint', subjectType: 'comment', subjectId: 'c' }])
  await queue.close()
})()
const file = newFile()
const written = await backUp({ url, file, key })

async function emptyDatabase(): Promise<string> {
  const name = `${server.prefix}_${randomBytes(4).toString('hex')}`
  await asAdmin(server.url, (admin) => admin.query(`create database ${name} template template0`))
  return databaseUrl(server.url, name)
}

async function within<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = openDatabase({ url, connections: 3, onError: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function load(file: string, url: string, { secret = TEST_SECRET, delivers = true } = {}) {
  return within(url, (database) => {
    const createJobs = async () => (await openDeliveryQueue(systemCtx(database))).close()
    return restore({ url, file, key: keyFor(secret, 'backups'), delivers, createJobs })
  })
}

async function catalogueOf({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    select pg_get_indexdef(indexrelid) as line from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace
    union all select concat(conrelid::regclass, ' ', conname, ' ', pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select concat(pg_get_triggerdef(oid), ' ', tgenabled) from pg_trigger where not tgisinternal order by 1`)
  return rows.map(({ line }) => line)
}

describe('a restored database', () => {
  test('equals the one that was backed up: every row, index, constraint, trigger and job, and its log verifies', async () => {
    const target = await emptyDatabase()
    const restored = await load(file, target)
    expect(restored).toEqual(written)
    expect(written.rows).toBeGreaterThan(100)
    await within(target, async (copy) => {
      expect(await checksumsOf(copy.pool)).toEqual(await checksumsOf(database.pool))
      expect(await catalogueOf(copy)).toEqual(await catalogueOf(database))
      expect(await verifyChain(systemCtx(copy), ctx.auditKey)).toMatchObject({ verified: true })
      const { rows } = await copy.pool.query('select count(*)::int as jobs from pgboss.job')
      expect(rows).toEqual([{ jobs: 1 }])
    })
  })

  test('posts nothing until somebody turns its endpoints, classifiers and translation on, as the system it was taken from may still run', async () => {
    const target = await emptyDatabase()
    await load(file, target, { delivers: false })
    const inUse = async ({ prisma }: Database) => [
      (await prisma.webhookEndpoint.count({ where: { disabledAt: null, removedAt: null } })) > 0,
      (await prisma.classifier.count({ where: { disabledAt: null, removedAt: null } })) > 0,
      (await prisma.translationSettings.findUniqueOrThrow({ where: { id: 1 } })).isOn,
    ]
    expect(await inUse(database)).toEqual([true, true, true])
    expect(await within(target, inUse)).toEqual([false, false, false])
  })

  test.runIf(IS_STRESS)('has the same dates where the databases write them in different ways', async () => {
    const name = new URL(url).pathname.slice(1)
    const dated = newFile()
    await asAdmin(url, (admin) => admin.query(`alter database ${name} set datestyle = 'SQL, DMY'`))
    await backUp({ url, file: dated, key })
    await asAdmin(url, (admin) => admin.query(`alter database ${name} reset datestyle`))
    const target = await emptyDatabase()
    await load(dated, target)
    await within(target, async (copy) => expect(await checksumsOf(copy.pool)).toEqual(await checksumsOf(database.pool)))
  })

  test.runIf(IS_STRESS)(
    'continues: sequences and partitions go on after the last value, and migrations find nothing to do',
    async () => {
      const target = await emptyDatabase()
      await load(file, target)
      await within(target, async (copy) => {
        const said: string[] = []
        await migrate(copy.pool, (line) => said.push(line))
        expect(said).toEqual([])
        const own = systemCtx(copy)
        await recordAudit(own, { action: 'test.done', subjectType: 'test', subjectId: 'later' })
        await sequenceBatch(own, own.auditKey)
        expect(await verifyChain(own, own.auditKey)).toMatchObject({ verified: true })
        // Nor has retention to move anything: a partition contains all of them.
        await recordTestEvent(own, 'later', 1)
        expect((await copy.pool.query('select from event_default')).rowCount).toBe(0)
      })
    },
  )

  test.runIf(IS_STRESS)('is as of one moment, although people decide during the backup', async () => {
    const busy = await testDatabase()
    const make = factoriesOf(busy.database)
    const { communityId } = await make.community()
    let isWriting = true
    const writing = (async () => {
      while (isWriting) {
        const { commentId } = await make.heldComment({ communityId })
        // Two rows of one transaction: the second table is read later.
        await busy.database.prisma.$transaction([
          busy.database.prisma.comment.update({ where: { commentId }, data: { editedAt: new Date() } }),
          busy.database.prisma.tallyDelta.create({ data: { kind: 'channel_members', subjectId: commentId, delta: 1 } }),
        ])
      }
    })()
    const decided = () => busy.database.prisma.tallyDelta.count({ where: { kind: 'channel_members' } })
    await eventually('some decisions are made', decided).toBeGreaterThan(3)
    const during = newFile()
    await backUp({ url: busy.url, file: during, key })
    isWriting = false
    await writing
    const target = await emptyDatabase()
    await load(during, target)
    await within(target, async ({ prisma }) => {
      const edited = await prisma.comment.count({ where: { editedAt: { not: null } } })
      expect(edited).toBeGreaterThan(3)
      expect(await prisma.tallyDelta.count({ where: { kind: 'channel_members' } })).toBe(edited)
    })
  })
})

describe('a file that is not exactly what was written', async () => {
  // Nothing is ever written to it.
  const target = await emptyDatabase()
  const bytes = await readFile(file)
  const plain = gunzipSync(bytes)
  const changed = (at: number, of = bytes) => Object.assign(Buffer.from(of), { [at]: (of[at] ?? 0) ^ 1 })
  /** With its frames changed by somebody who can compress, but has no secret. */
  const repacked = (change: (plain: Buffer<ArrayBuffer>) => Buffer) => gzipSync(change(plain))
  const header = plain.subarray(5, 5 + plain.readUInt32BE()).toString()
  const withHeader = (text: string) => {
    const head = Buffer.alloc(5)
    head.writeUInt32BE(Buffer.byteLength(text))
    head.write('H', 4)
    return gzipSync(Buffer.concat([head, Buffer.from(text), plain.subarray(5 + header.length)]))
  }

  test.each<[string, Buffer, RegExp]>([
    ['is empty', Buffer.alloc(0), /cut off|end is missing/],
    ['is no archive', Buffer.from('select 1'), /not a backup/],
    ['is an archive of something else', gzipSync('select 1; select 2; select 3'), /not a backup/],
    ['is cut in the middle', bytes.subarray(0, bytes.length >> 1), /cut off/],
    ['lacks its last byte', bytes.subarray(0, -1), /cut off/],
    ['has one other byte in the middle', changed(bytes.length >> 1), /can't be restored/],
    ['has another checksum of the archive', changed(bytes.length - 6), /can't be restored/],
    ['has one other byte in a row', repacked((of) => changed(of.length - 2_000, of)), /can't be restored/],
    ['lacks its end', repacked((of) => of.subarray(0, of.length - 200)), /can't be restored/],
    ['has something after its end', Buffer.concat([bytes, gzipSync(plain)]), /goes on after its end/],
    ['is of a newer format', withHeader(header.replace('"version":1', '"version":2')), /newer version of Docket/],
    ['names other migrations', withHeader(header.replace(/"checksum":"./, '"checksum":"x')), /was changed/],
  ])('%s: it is rejected in one line, and nothing is written', async (_what, content, line) => {
    const broken = newFile()
    await writeFile(broken, content)
    await expect(load(broken, target)).rejects.toThrow(line)
    await within(target, async ({ pool }) => {
      const { rows } = await pool.query(`select tablename from pg_tables where schemaname in ('public', 'pgboss')`)
      expect(rows).toEqual([])
    })
  })

  test('and one of another secret is named as that', async () => {
    await expect(load(file, target, { secret: 'another secret of at least 32 characters' })).rejects.toThrow(
      /written with another secret/,
    )
  })
})

test('a database that is not empty is never restored into', async () => {
  const other = await testDatabase()
  const before = await other.database.pool.query('select count(*)::int as count from role')
  await expect(load(file, other.url)).rejects.toThrow('The database is not empty')
  expect((await other.database.pool.query('select count(*)::int as count from role')).rows).toEqual(before.rows)
})

test('a load that fails half-way leaves the database empty', async () => {
  const target = await emptyDatabase()
  await asAdmin(target, (admin) =>
    admin.query(`create function refuse() returns event_trigger language plpgsql as $$ begin raise 'no room'; end $$`),
  )
  await asAdmin(target, (admin) =>
    admin.query(
      `create event trigger at_the_end on ddl_command_end when tag in ('CREATE INDEX') execute function refuse()`,
    ),
  )
  await expect(load(file, target)).rejects.toThrow('no room')
  await within(target, async ({ pool }) => {
    expect((await pool.query(`select tablename from pg_tables where schemaname = 'public'`)).rows).toEqual([])
  })
})

const failAtOnce = () => {
  throw new Error('no space left')
}

test('a backup never replaces a file, and a failed one leaves nothing', async () => {
  const there = newFile()
  await copyFile(file, there)
  const before = await stat(there)
  await expect(backUp({ url, file: there, key })).rejects.toThrow('already exists')
  expect((await stat(there)).mtimeMs).toBe(before.mtimeMs)
  const filesBefore = await readdir(folder)
  await expect(backUp({ url: await emptyDatabase(), file: newFile(), key })).rejects.toThrow('no Docket tables')
  const unwritable = { url, file: newFile(), key, onProgress: failAtOnce }
  await expect(backUp(unwritable)).rejects.toThrow('no space left')
  expect(await readdir(folder)).toEqual(filesBefore)
})

test('only its owner can read it', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test.runIf(IS_STRESS)('the command line backs up and restores, and says how much', async () => {
  const made = newFile()
  const docket = (DATABASE_URL: string, ...args: string[]) =>
    runProgram({ DATABASE_URL }, 'server/cli/docket.ts', [...args, '--json'])
  const backup = await docket(url, 'backup', made)
  expect(await backup.ended, backup.output()).toBe(0)
  expect(JSON.parse(backup.output())).toMatchObject({ file: made, rows: written.rows, tables: written.tables })

  const target = await emptyDatabase()
  const restoring = await docket(target, 'restore', made)
  expect(await restoring.ended, restoring.output()).toBe(0)
  expect(JSON.parse(restoring.output())).toMatchObject({ rows: written.rows })
  const again = await docket(target, 'restore', made)
  expect(await again.ended).toBe(1)
  expect(again.output()).toContain('docket: The database is not empty')
})
