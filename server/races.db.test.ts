import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type AtDesk, moderatorAtDesk } from '#server/testing/at-desk.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { expectWhole } from '#server/testing/whole-log.ts'

const { database, url: DATABASE_URL, prisma, make } = await testDatabase()
const home = await mkdtemp(join(tmpdir(), 'docket-races-'))
afterAll(() => rm(home, { recursive: true }))
const environment = { DATABASE_URL, DOCKET_HOME: home }

/** Two processes, and three moderators of a community who are signed in at both. */
const programs = await Promise.all([1, 2].map(() => runProgram(environment)))
await Promise.all(programs.map(untilReady))
const [{ communityId }, { userId }] = await Promise.all([make.community(), make.user()])
const people = await Promise.all([1, 2, 3].map(() => moderatorAtDesk(database, communityId)))
const [person] = people

const AT_ONCE = 8
/** When what is undone would be published: a busy machine may take longer than the ten seconds of a person. */
const LATER = new Date(Date.now() + 24 * 3_600_000)

const PAIRS = IS_STRESS ? scaled(150) : 10
const CLAIMS = IS_STRESS ? scaled(40) : 5
const UNDOS = IS_STRESS ? scaled(30) : 5
const KEYS = IS_STRESS ? scaled(20) : 5
const BULKS = scaled(1)
const ITEMS_A_BULK = 100

test(`of ${PAIRS} opposing pairs of decisions over two processes exactly one of each wins, and the other learns which`, async () => {
  await inTurn(PAIRS, async (round) => {
    const subject = await heldItem()
    const outcomes = ['approved', 'rejected']
    const answers = await Promise.all(
      programs.map((program, index) =>
        of(people, index).call(program, 'review.decide', {
          ...subject,
          version: 1,
          outcome: outcomes[(index + round) % 2],
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = answers.findIndex(({ status }) => status === 200)
    const stored = await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })
    expect([stored.approvalStatus, stored.version]).toEqual([outcomes[(won + round) % 2], 2])
    expect(of(answers, 1 - won).data).toMatchObject({
      data: { docket: { facts: { decision: stored.approvalStatus, decidedBy: of(people, won).userId } } },
    })
  })
})

test(`of ${CLAIMS} triple claims of one item exactly one succeeds, and the others learn who holds it`, async () => {
  await inTurn(CLAIMS, async () => {
    const subject = await heldItem()
    const claims = await Promise.all(
      people.map((person, index) => person.call(of(programs, index % 2), 'leases.take', subject)),
    )
    expect(claims.map(({ status, data }) => [status, data.isMine ?? data]).sort()).toEqual([
      [200, false],
      [200, false],
      [200, true],
    ])
    const holder = of(
      people,
      claims.findIndex(({ data }) => data.isMine),
    )
    for (const { data } of claims.filter(({ data }) => !data.isMine))
      expect(data).toMatchObject({ lease: { holder: { userId: holder.userId } } })
  })
})

test(`of ${UNDOS} undos sent to two processes at once each happens once, and the item is pending again`, async () => {
  await inTurn(UNDOS, async (round) => {
    const subject = await heldItem()
    const outcome = round % 2 ? 'approved' : 'rejected'
    const decided = await person?.call(of(programs, round % 2), 'review.decide', { ...subject, version: 1, outcome })
    await prisma.event.updateMany({
      where: { subjectId: subject.subjectId, state: 'held' },
      data: { releasesAt: LATER },
    })
    const decisionId = decided?.data.decisionId
    const undone = await Promise.all(programs.map((program) => person?.call(program, 'review.undo', { decisionId })))
    expect(undone.map((answer) => answer?.status).sort()).toEqual([200, 409])
    const stored = await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })
    expect([stored.approvalStatus, stored.isDeleted, stored.version]).toEqual(['pending', false, 3])
  })
})

test(`a decision sent four times under one of ${KEYS} keys, to two processes at once, is made once and answered alike`, async () => {
  await inTurn(KEYS, async () => {
    const input = { ...(await heldItem()), version: 1, outcome: 'approved', clientKey: randomUUID() }
    const answers = await Promise.all(
      [...programs, ...programs].map((program) => person?.call(program, 'review.decide', input)),
    )
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map((answer) => answer?.data.decisionId)).size).toBe(1)
    expect(await prisma.decision.count({ where: { subjectId: input.subjectId } })).toBe(1)
  })
})

test(`${BULKS} pairs of overlapping bulk actions on the same ${ITEMS_A_BULK} items decide each item once`, async () => {
  for (let round = 0; round < BULKS; round += 1) {
    const items: { subjectType: 'comment'; subjectId: string; version: number }[] = []
    await inTurn(ITEMS_A_BULK, async () => {
      items.push({ ...(await heldItem()), version: 1 })
    })
    const done = await Promise.all([
      workOff(of(people, 0), of(programs, 0), { items, outcome: 'approved' }),
      workOff(of(people, 1), of(programs, 1), { items: items.toReversed(), outcome: 'rejected' }),
    ])
    expect(done.reduce((sum, { done }) => sum + done, 0)).toBe(ITEMS_A_BULK)
    for (const { done: made, refused } of done) expect(made + refused).toBe(ITEMS_A_BULK)
    const subjectId = { in: items.map((item) => item.subjectId) }
    expect(await prisma.decision.count({ where: { subjectId } })).toBe(ITEMS_A_BULK)
  }
})

test('afterwards no event is missing or doubled, no decision is partial, counts are exact, and the log verifies', async () => {
  await expectWhole(database, environment)
})

async function workOff(person: AtDesk, program: Program, chosen: { items: object[]; outcome: string }) {
  const bulkId = randomUUID()
  const started = await person.call(program, 'bulk.start', { bulkId, ...chosen })
  expect(started.status).toBe(200)
  for (;;) {
    const { status, data } = await person.call(program, 'bulk.work', { bulkId })
    expect(status).toBe(200)
    if (data.isFinished) return { done: Number(data.done), refused: [data.refused].flat().length }
  }
}

async function heldItem() {
  const { commentId } = await make.heldComment({ communityId, userId })
  return { subjectType: 'comment' as const, subjectId: commentId }
}

/** Runs this many repetitions, a few of them at once. */
async function inTurn(rounds: number, act: (round: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let round = next++; round < rounds; round = next++) await act(round)
    }),
  )
}

function of<Item>(list: Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new Error(`there is no ${index}`)
  return item
}
