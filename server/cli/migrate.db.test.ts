import { expect, test } from 'vitest'
import type { CommandContext } from '#server/cli/command.ts'
import { migrateCheck } from '#server/cli/migrate.ts'
import { systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()

const at: CommandContext = {
  ctx: systemCtx(database),
  secret: TEST_SECRET,
  auditHeadFile: '',
  asOwner: (work) => work(database.pool),
}
const check = () => migrateCheck(at, { limitMs: 60_000 })

test('says what pending migrations do, which locks they take and for how long, and applies none', async () => {
  expect(await check()).toMatchObject({ text: 'No migration is pending.' })

  await database.pool.query(`
    delete from _prisma_migrations where migration_name between '20261123050000' and '20261123060000';
    alter table comment drop claimed_by, drop claimed_until;
    alter table post drop claimed_by, drop claimed_until;
    alter table community drop claim_minutes;`)
  const { text, json, hasFailed } = await check()

  expect(text).toMatch(
    /Changes comment: adds column claimed_by.*\n +locks comment \(AccessExclusiveLock\): blocks readers/,
  )
  expect(text).toMatch(/Holds its locks for \d+ ms\./)
  expect(text).toContain(
    'Builds index comment_claimed on comment\n    locks comment (ShareUpdateExclusiveLock): blocks nobody',
  )
  expect(text).toContain('3 pending. All of them can be applied while Docket is in use. Nothing was changed.')
  expect(json.migrations).toHaveLength(3)
  expect(hasFailed).toBe(false)
})

test('fails when a migration is not safe to apply now', async () => {
  await database.pool.query('alter table community add claim_minutes int')

  expect(await check()).toMatchObject({ hasFailed: true, text: expect.stringContaining('It would fail: ') })
})
