import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { auditAcceptRestore, auditVerify } from '#server/cli/audit.ts'
import type { CommandContext } from '#server/cli/command.ts'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { type HeadStore, openHeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { readEntry } from '#server/modules/ledger/audit/read-entry.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { asAdmin as asActor, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { asAdmin, databaseUrl } from '#server/testing/global-setup.ts'

/** The databases of these tests are copies of each other: the package has no `pg_dump` of the server's version. */
const server = inject('testServer')
const home = await mkdtemp(path.join(tmpdir(), 'docket-restore-'))
afterAll(() => rm(home, { recursive: true }))

async function copyOf(template: string): Promise<string> {
  const name = `${server.prefix}_${randomBytes(4).toString('hex')}`
  await asAdmin(server.url, (admin) => admin.query(`create database ${name} template ${template}`))
  return name
}

/** Runs `work` on a database and closes all connections to it. */
async function within<Result>(name: string, work: (at: Place) => Promise<Result>): Promise<Result> {
  const database = openDatabase({ url: databaseUrl(server.url, name), connections: 3, onError: () => {} })
  const ctx = systemCtx(database)
  try {
    return await work({
      database,
      commandsOf: (auditHeadFile) => ({
        ctx,
        secret: TEST_SECRET,
        auditHeadFile,
        asOwner: (work) => work(database.pool),
      }),
    })
  } finally {
    await database.close()
  }
}

interface Place {
  database: Database
  commandsOf: (auditHeadFile: string) => CommandContext
}

/** Writes and seals this many rows, as a process of this home does; returns how many it sealed. */
async function work({ database }: Place, file: string, count: number): Promise<number> {
  const ctx = systemCtx(database)
  const heads = await openHeadStore({ file, key: ctx.auditKey, log: ctx.log })
  const sealed = await sealWith(ctx, heads, count)
  await heads.close()
  return sealed
}

async function sealWith(ctx: CommandContext['ctx'], heads: HeadStore, count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) {
    await recordAudit(ctx, { action: 'test.done', subjectType: 'test', subjectId: String(index), text: 'words' })
  }
  return sealAudit(ctx, ctx.auditKey, heads)
}

const verify = async (place: Place, file: string) => (await auditVerify(place.commandsOf(file), {})).json

test('a database restored together with the home’s file verifies, and sealing continues', async () => {
  const [live, liveFile, backupFile] = [
    await copyOf(server.template),
    path.join(home, 'a.json'),
    path.join(home, 'a-backup.json'),
  ]
  await within(live, (place) => work(place, liveFile, 5))
  const backup = await copyOf(live)
  await copyFile(liveFile, backupFile)
  await within(live, (place) => work(place, liveFile, 4))

  await within(backup, async (place) => {
    expect(await verify(place, backupFile)).toMatchObject({ verified: true, sealedTo: { seq: '5' } })
    expect(await work(place, backupFile, 2)).toBe(2)
    expect(await verify(place, backupFile)).toMatchObject({ verified: true, sealedTo: { seq: '7' } })
  })
})

test('a database restored into a new home verifies by the head in its own table', async () => {
  const live = await copyOf(server.template)
  await within(live, (place) => work(place, path.join(home, 'b.json'), 5))
  const backup = await copyOf(live)
  await within(backup, async (place) => {
    const file = path.join(home, 'b-new.json')
    expect(await verify(place, file)).toMatchObject({ verified: true, sealedTo: { seq: '5' } })
    expect(await work(place, file, 1)).toBe(1)
    expect(await verify(place, file)).toMatchObject({ verified: true, sealedTo: { seq: '6' } })
  })
})

test('rejects an older database under a newer home until it is accepted, and logs who, what and why', async () => {
  const [live, file] = [await copyOf(server.template), path.join(home, 'c.json')]
  await within(live, (place) => work(place, file, 5))
  const backup = await copyOf(live)
  await within(live, (place) => work(place, file, 4))

  await within(backup, async (place) => {
    const commands = place.commandsOf(file)
    // A process that stays running and knows the end of the log.
    const heads = await openHeadStore({ file, key: commands.ctx.auditKey, log: commands.ctx.log })
    expect(await sealWith(commands.ctx, heads, 2)).toBe(0)
    const refused = await auditVerify(commands, {})
    expect(refused).toMatchObject({ hasFailed: true, json: { verified: false } })
    expect(refused.text).toMatch(
      /the log ends at seal 5, but was sealed up to seal 9 at .*\n.*audit accept-restore --reason/s,
    )

    const accepted = await auditAcceptRestore(commands, { reason: 'The disk of Tuesday' })
    expect(accepted.json).toMatchObject({ from: { generation: 1, seq: '9' }, head: { generation: 2, seq: '5' } })
    expect(await sealWith(commands.ctx, heads, 1)).toBe(4)
    await heads.close()
    expect(await verify(place, file)).toMatchObject({
      verified: true,
      sealedTo: { seq: '9' },
      head: { generation: 2, seq: '9' },
    })

    const act = await place.database.prisma.audit.findFirstOrThrow({ where: { action: 'audit.restoreAccepted' } })
    const entry = await readEntry(ctxOf(place.database, asActor(['VIEW_HISTORY'])), { auditId: String(act.auditId) })
    expect(entry).toMatchObject({
      words: 'The disk of Tuesday',
      before: { seq: '9', generation: 1 },
      after: { seq: '5', generation: 2 },
    })
    expect(await auditAcceptRestore(commands, { reason: 'Again' }).catch(String)).toContain(
      'Parameters validation error',
    )
  })
  // The given-up database is as old as before for the home that continued.
  await within(live, async (place) => expect(await verify(place, file)).toMatchObject({ verified: false }))
})

test('reports a changed secret and a changed log with different messages, and seals again once accepted', async () => {
  const [live, file] = [await copyOf(server.template), path.join(home, 'e.json')]
  await within(live, async (place) => {
    await work(place, file, 2)
    const commands = { ...place.commandsOf(file), secret: 'another secret, as long as the first one' }
    expect((await auditVerify(commands, {})).text).toContain('is not signed with this DOCKET_SECRET')
  })
})
