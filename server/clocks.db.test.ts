import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { takeTurns } from '#server/testing/turns.ts'

takeTurns()

const { database, url: DATABASE_URL } = await testDatabase()
const { prisma, pool } = database
const make = factoriesOf(database)

const SHIFT = new URL('./testing/shifted-clock.ts', import.meta.url).href
const onShiftedClock = (shiftMs: number) => ({
  DATABASE_URL,
  NODE_OPTIONS: `--import ${SHIFT}`,
  CLOCK_SHIFT_MS: String(shiftMs),
})
const BEHIND = onShiftedClock(-60_000)
const AHEAD = onShiftedClock(60_000)
/** A busy machine answers late; the tests only check for errors of minutes. */
const TOLERANCE_MS = 5_000

/** Two processes of one Docket on machines whose clocks are two minutes apart. */
const [behind, ahead] = await Promise.all(
  [BEHIND, AHEAD].map((environment) => runProgram(environment, 'server/main.ts', [], afterAll)),
)
if (!behind || !ahead) throw new Error('two environments run two programs')
await Promise.all([behind, ahead].map(untilReady))

async function signIn(program: Program, role: { roleId: string; communityId?: string }) {
  const person = { email: `${randomUUID()}@docket.example`, password: 'a-password-for-clocks' }
  const { staffId } = await createStaff(systemCtx(database), { ...person, name: 'Some one', ...role })
  const answer = await fetch(`${program.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: program.url, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const call = async (at: Program, procedure: string, input: unknown) => {
    const answered = await fetch(`${at.url}/api/trpc/${procedure}`, {
      method: 'POST',
      headers: { origin: at.url, 'content-type': 'application/json', cookie: cookie.join('; ') },
      body: JSON.stringify(input),
    })
    const { result, error } = await answered.json()
    if (error) throw new Error(`${procedure}: ${JSON.stringify(error)}`)
    return result.data
  }
  return { staffId, call, cookie: cookie.join('; ') }
}

async function databaseTime(): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at')
  return rows[0]?.at.getTime() ?? Number.NaN
}

/** Checks that it ends on time by the database's clock. */
async function expectToEndIn(ms: number, endsAt: Date | string | null | undefined) {
  const leftMs = new Date(endsAt ?? Number.NaN).getTime() - (await databaseTime())
  expect(leftMs).toBeGreaterThan(ms - TOLERANCE_MS)
  expect(leftMs).toBeLessThanOrEqual(ms + 100)
}

test('a decision of either process can be undone at the other for ten seconds, and is published after that', async () => {
  const { communityId } = await make.community()
  const reviewer = await signIn(behind, { roleId: 'community-moderator', communityId })
  const subject = async () => {
    const { commentId } = await make.heldComment({ communityId })
    return { subjectType: 'comment', subjectId: commentId }
  }
  const eventOf = (subjectId: string) => prisma.event.findFirstOrThrow({ where: { subjectId } })

  for (const [here, there] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const item = await subject()
    const decided = await reviewer.call(here, 'review.decide', { ...item, outcome: 'approved', version: 1 })
    await expectToEndIn(10_000, decided.undoUntil)
    // By then the sequencers of both processes have seen it.
    await expect.poll(async () => (await eventOf(item.subjectId)).seq, { timeout: 5_000 }).not.toBeNull()
    expect((await eventOf(item.subjectId)).state).toBe('held')
    await reviewer.call(there, 'review.undo', { decisionId: decided.decisionId })
    expect((await prisma.comment.findUniqueOrThrow({ where: { commentId: item.subjectId } })).approvalStatus).toBe(
      'pending',
    )
  }

  const item = await subject()
  await reviewer.call(ahead, 'review.decide', { ...item, outcome: 'approved', version: 1 })
  const decidedAt = await databaseTime()
  const state = async () => (await eventOf(item.subjectId)).state
  await expect.poll(state, { timeout: 20_000 }).toBe('released')
  const heldForMs = (await databaseTime()) - decidedAt
  expect(heldForMs).toBeGreaterThan(10_000 - TOLERANCE_MS)
  expect(heldForMs).toBeLessThan(10_000 + TOLERANCE_MS)
}, 90_000)

test('a lease taken at either process is held at the other until it expires', async () => {
  const { communityId } = await make.community()
  const [ana, ben] = [
    await signIn(behind, { roleId: 'community-moderator', communityId }),
    await signIn(ahead, { roleId: 'community-moderator', communityId }),
  ]
  for (const [here, there] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const { commentId } = await make.heldComment({ communityId })
    const item = { subjectType: 'comment', subjectId: commentId }
    expect(await ana.call(here, 'leases.take', item)).toMatchObject({ isMine: true })
    const second = await ben.call(there, 'leases.take', item)
    expect(second).toMatchObject({ isMine: false })
    expect(second.lease.forMs).toBeGreaterThan(120_000 - TOLERANCE_MS)
    expect(second.lease.forMs).toBeLessThanOrEqual(120_000)
  }
}, 90_000)

test('bans, sessions and tokens of either process end by the database’s clock', async () => {
  for (const [program, environment] of [
    [behind, BEHIND],
    [ahead, AHEAD],
  ] as const) {
    const admin = await signIn(program, { roleId: 'global-admin' })
    const session = await prisma.staffSession.findFirstOrThrow({ where: { userId: admin.staffId } })
    await expectToEndIn(7 * 24 * 3_600_000, session.expiresAt)

    const { userId } = await make.user()
    await admin.call(program, 'bans.ban', { userId, space: { scope: 'network' }, minutes: 60 })
    await expectToEndIn(3_600_000, (await prisma.ban.findFirstOrThrow({ where: { userId } })).endsAt)

    const command = ['token', 'create', '--admin', '--expires', '1m', '--json']
    const created = await runProgram(environment, 'server/cli/docket.ts', command)
    expect(await created.ended).toBe(0)
    const token = JSON.parse(created.output().trimEnd().split('\n').at(-1) ?? '')
    await expectToEndIn(60_000, token.expiresAt)
  }

  const { userId } = await make.user()
  await prisma.user.update({ where: { userId }, data: { isGlobalBan: true } })
  const endsAt = new Date((await databaseTime()) + 3_000)
  const { banId } = await prisma.ban.create({ data: { scope: 'network', userId, endsAt } })
  const liftedAt = async () => (await prisma.ban.findUniqueOrThrow({ where: { banId } })).liftedAt
  await expect.poll(liftedAt, { timeout: 90_000, interval: 20 }).not.toBeNull()
  expect(await databaseTime()).toBeGreaterThanOrEqual(endsAt.getTime())
  expect((await liftedAt())?.getTime()).toBeGreaterThanOrEqual(endsAt.getTime())
}, 180_000)

test('a link made by one process works at the other for its minute', async () => {
  const agent = await signIn(behind, { roleId: 'support' })
  for (const [here, there] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const { userId } = await make.user()
    const path: string = await agent.call(here, 'users.export', { userId, reason: 'A letter' })
    await expectToEndIn(60_000, new Date(Number(new URLSearchParams(path.split('?')[1]).get('expires'))))
    expect((await fetch(`${there.url}${path}`)).status).toBe(200)
  }
}, 90_000)
