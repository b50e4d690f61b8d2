import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { STATEMENT_LIMIT_MS } from '#server/core/database/database-client.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import {
  awaitOwnNotification,
  nameStatementsIfKept,
  setRoleSettings,
  verifySettings,
} from '#server/core/database/pooler.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { asAdmin } from '#server/testing/global-setup.ts'
import { startPooler } from '#server/testing/pooler.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { waitUntil } from '#server/testing/wait-until.ts'

/** Far fewer than its clients have. */
const SERVER_CONNECTIONS = 4
/** Enough to end some in the middle of several steps of a start. */
const SESSIONS_TO_END = 12
const FEW = [`default_pool_size = ${SERVER_CONNECTIONS}`]

const { database, url, make } = await testDatabase()
const pooler = await startPooler(inject('testServer').url, FEW)
afterAll(() => pooler?.stop())
const pooled = pooler?.through(url) ?? ''
const POOLED = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: url }
const oneLine = (program: Program) => program.output().trimEnd()

describe.skipIf(pooler === undefined)('behind PgBouncer in transaction mode (needs pgbouncer)', () => {
  test('two processes start, answer, decide and hear each other; no lock stays behind', async () => {
    const { communityId } = await make.community()
    const { accessToken } = await createToken(systemCtx(database), { lifetimeMs: 3_600_000 })
    const headers = { authorization: `Bearer ${accessToken}` }
    const held = await Promise.all(Array.from({ length: 20 }, () => make.heldComment({ communityId })))
    const programs = await Promise.all([runProgram(POOLED), runProgram(POOLED)])
    await Promise.all(programs.map(untilReady))

    const answers = await Promise.all(
      held.flatMap(({ commentId }) =>
        programs.map((program) =>
          fetch(`${program.url}/api/v3/comments/${commentId}/approve`, { method: 'POST', headers }),
        ),
      ),
    )
    // One of two is first; the other finds it approved.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(held.length)
    const unnumbered = () => database.prisma.event.count({ where: { communityId, seq: null } })
    await eventually('all events are numbered', unnumbered).toBe(0)

    const locks = await database.pool.query(
      `select a.state from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and a.datname = current_database() and a.state = 'idle'`,
    )
    expect(locks.rows).toEqual([])
  })

  test('a start goes on when its sessions are ended, as by another start that sets the role', async () => {
    const other = await testDatabase()
    const env = { DATABASE_URL: pooler?.through(other.url) ?? '', DATABASE_DIRECT_URL: other.url }
    const name = new URL(other.url).pathname.slice(1)
    const program = await runProgram(env)
    let ended = 0
    await asAdmin(inject('testServer').url, async (admin) => {
      await waitUntil('enough sessions are ended', async () => {
        const sessions = await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and state = 'idle'`,
          [name],
        )
        ended += sessions.rows.length
        return ended >= SESSIONS_TO_END || program.process.exitCode !== null
      })
    })
    await untilReady(program)
  })

  test('statements are named only where the pooler keeps names apart', async () => {
    const own = openDatabase({ url: pooled, directUrl: url, connections: 8, onError: () => {} })
    onTestFinished(() => own.close())
    await nameStatementsIfKept(own, pooled)
    const text = 'select $1::int as one'
    const rounds = Array.from({ length: 40 }, (_, round) => own.pool.query({ name: 'same', text, values: [round] }))
    expect((await Promise.all(rounds)).map(({ rows }) => rows[0]?.one)).toEqual(rounds.map((_, round) => round))
  })

  test('settings are those of the role, set once the schema exists', async () => {
    const own = openDatabase({ url: pooled, directUrl: url, connections: 2, onError: () => {} })
    onTestFinished(() => own.close())
    await own.pool.query('select 1')
    await setRoleSettings(database.pool, pooled)
    await verifySettings(own.pool)
    const { rows } = await own.pool.query(
      `select current_setting('jit') as jit, current_setting('statement_timeout') as timeout`,
    )
    expect(rows).toEqual([{ jit: 'off', timeout: `${STATEMENT_LIMIT_MS / 1_000}s` }])
  })

  test('without the address of the database itself, it ends with one line that asks for it', async () => {
    const program = await runProgram({ DATABASE_URL: pooled })
    expect(await program.ended).toBe(1)
    expect(oneLine(program)).toBe(
      'docket: A pooler rejects the settings of a connection: DATABASE_DIRECT_URL must point to the database itself.',
    )
  })

  test('with the pooler as the direct address as well, it ends with one line', async () => {
    const program = await runProgram({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: pooled })
    expect(await program.ended).toBe(1)
    expect(oneLine(program)).toMatch(/^docket: .*DATABASE_DIRECT_URL.*$/)
  })

  // Where all tests go through a pooler, the role of each test's database has the settings.
  const hasRoleSettings = inject('testServer').pooler !== undefined
  test.skipIf(hasRoleSettings)(
    'with a pooler that ignores settings, it ends with one line that names them',
    async () => {
      const ignoring = await startPooler(inject('testServer').url, [
        ...FEW,
        'ignore_startup_parameters = options,statement_timeout',
      ])
      onTestFinished(() => ignoring?.stop())
      const other = await testDatabase()
      const program = await runProgram({ DATABASE_URL: ignoring?.through(other.url) ?? '' })
      expect(await program.ended).toBe(1)
      expect(oneLine(program)).toContain('The database ignores the settings of a connection')
      expect(oneLine(program)).not.toContain('\n')
    },
  )
})

test('a database that hears nothing of DATABASE_URL is reported in one line', async () => {
  const other = await testDatabase()
  const own = openDatabase({ url, directUrl: other.url, connections: 1, onError: () => {} })
  onTestFinished(() => own.close())
  await expect(awaitOwnNotification(own.pool, 500)).rejects.toThrow(
    'DATABASE_DIRECT_URL must point to the same database',
  )
})

test('a statement is prepared by name on a direct connection', async () => {
  const own = openDatabase({ url, connections: 1, onError: () => {} })
  onTestFinished(() => own.close())
  await own.pool.query({ name: 'kept', text: 'select 1' })
  const { rows } = await own.pool.query(`select name from pg_prepared_statements where name = 'kept'`)
  expect(rows).toEqual([{ name: 'kept' }])
})
