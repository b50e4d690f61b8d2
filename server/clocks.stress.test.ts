import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'

const { database, url: DATABASE_URL, prisma, pool, make } = await testDatabase()

const SHIFT = new URL('./testing/shifted-clock.ts', import.meta.url).href
const onShiftedClock = (shiftMs: number) => ({
  DATABASE_URL,
  NODE_OPTIONS: `--import ${SHIFT}`,
  CLOCK_SHIFT_MS: String(shiftMs),
})
const HOUR_MS = 3_600_000
const BEHIND = onShiftedClock(-HOUR_MS)
const AHEAD = onShiftedClock(HOUR_MS)
/** A busy machine answers late; the tests only check for errors of an hour. */
const TOLERANCE_MS = HOUR_MS / 6
/** A time that neither process takes for the past, unless its clock is wrong. */
const SOON_MS = HOUR_MS / 2

/** Two processes of one Docket on machines whose clocks are two hours apart. */
const [behind, ahead] = await Promise.all([BEHIND, AHEAD].map((environment) => runProgram(environment)))
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
  expect(Math.abs(leftMs - ms)).toBeLessThan(TOLERANCE_MS)
}

test('a decision of either process can be undone at the other before it is published', async () => {
  const { communityId } = await make.community()
  const reviewer = await signIn(behind, { roleId: 'community-moderator', communityId })
  const subject = async () => {
    const { commentId } = await make.heldComment({ communityId })
    return { subjectType: 'comment', subjectId: commentId }
  }
  const eventOf = (subjectId: string) => prisma.event.findFirstOrThrow({ where: { subjectId } })
  const publishIn = async (ms: number, subjectId: string) => {
    const releasesAt = new Date((await databaseTime()) + ms)
    await prisma.event.updateMany({ where: { subjectId }, data: { releasesAt } })
  }

  for (const [here, there] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const item = await subject()
    const decided = await reviewer.call(here, 'review.decide', { ...item, outcome: 'approved', version: 1 })
    await publishIn(SOON_MS, item.subjectId)
    await expectToEndIn(10_000, decided.undoUntil)
    await eventually('a sequencer has seen it', async () => (await eventOf(item.subjectId)).seq).not.toBeNull()
    expect((await eventOf(item.subjectId)).state).toBe('held')
    await reviewer.call(there, 'review.undo', { decisionId: decided.decisionId })
    expect((await prisma.comment.findUniqueOrThrow({ where: { commentId: item.subjectId } })).approvalStatus).toBe(
      'pending',
    )
  }

  const item = await subject()
  await reviewer.call(ahead, 'review.decide', { ...item, outcome: 'approved', version: 1 })
  await publishIn(0, item.subjectId)
  await eventually('it is published', async () => (await eventOf(item.subjectId)).state).toBe('released')
})

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
    expect(Math.abs(second.lease.forMs - 120_000)).toBeLessThan(TOLERANCE_MS)
  }
})

test('bans, sessions and tokens of either process end by the database’s clock', async () => {
  for (const [program, environment] of [
    [behind, BEHIND],
    [ahead, AHEAD],
  ] as const) {
    const admin = await signIn(program, { roleId: 'global-admin' })
    const session = await prisma.staffSession.findFirstOrThrow({ where: { userId: admin.staffId } })
    await expectToEndIn(7 * 24 * HOUR_MS, session.expiresAt)

    const { userId } = await make.user()
    await admin.call(program, 'bans.ban', { userId, space: { scope: 'network' }, minutes: 60 })
    await expectToEndIn(HOUR_MS, (await prisma.ban.findFirstOrThrow({ where: { userId } })).endsAt)

    const command = ['token', 'create', '--admin', '--expires', '1m', '--json']
    const created = await runProgram(environment, 'server/cli/docket.ts', command)
    expect(await created.ended).toBe(0)
    const token = JSON.parse(created.output().trimEnd().split('\n').at(-1) ?? '')
    await expectToEndIn(60_000, token.expiresAt)
  }

  const banFor = async (ms: number) => {
    const { userId } = await make.user()
    await prisma.user.update({ where: { userId }, data: { isGlobalBan: true } })
    const endsAt = new Date((await databaseTime()) + ms)
    const { banId } = await prisma.ban.create({ data: { scope: 'network', userId, endsAt } })
    return async () => (await prisma.ban.findUniqueOrThrow({ where: { banId } })).liftedAt
  }
  const [whenSoonLifted, whenLifted] = [await banFor(SOON_MS), await banFor(0)]
  await eventually('the ban that is over is lifted', whenLifted).not.toBeNull()
  await expectToEndIn(0, await whenLifted())
  expect(await whenSoonLifted()).toBeNull()
})

test('a link made by one process works at the other for its minute', async () => {
  const agent = await signIn(behind, { roleId: 'support' })
  for (const [here, there] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const { userId } = await make.user()
    const path: string = await agent.call(here, 'users.export', { userId, reason: 'A letter' })
    await expectToEndIn(60_000, new Date(Number(new URLSearchParams(path.split('?')[1]).get('expires'))))
    expect((await fetch(`${there.url}${path}`, { headers: { cookie: agent.cookie } })).status).toBe(200)
  }
})
