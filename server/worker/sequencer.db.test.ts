import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { keyFor } from '#server/core/secret.ts'
import { eraseTexts } from '#server/modules/ledger/audit/erase-texts.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { type Checkpoint, verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { SEQUENCER_LOCK, whileAlone } from '#server/modules/ledger/while-alone.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { Deciding } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { sequenceBatch, startSequencer } from '#server/worker/sequencer.ts'

const decideComment = (ctx: Ctx, { commentId, ...deciding }: Deciding & { commentId: string }) =>
  decide(ctx, { subjectType: 'comment', subjectId: commentId, ...deciding })

const { database, prisma, pool, make } = await testDatabase()
const system = systemCtx(database)
const key = keyFor('a secret for tests, long enough to be one', 'audit')

/** As a superuser of the database: bypasses the triggers that reject it. */
async function byHand(...statements: string[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query("set local session_replication_role = 'replica'")
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

async function sequenceAll(): Promise<void> {
  while (await sequenceBatch(system, key));
}

async function writeRows(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await recordAudit(system, {
      action: 'test.done',
      subjectType: 'test',
      subjectId: `row-${index}`,
      after: { index },
      text: 'words',
    })
  }
  await sequenceAll()
}

async function verdictAfter(harm: string[], checkpoint?: Checkpoint): Promise<string | undefined> {
  return (await problemsAfter(harm, checkpoint))[0]
}

/** Tampers, checks, and restores exactly what was there. */
async function problemsAfter(harm: string[], checkpoint?: Checkpoint): Promise<string[]> {
  await byHand('create table kept_audit as table audit', 'create table kept_seal as table audit_seal', ...harm)
  const { verified, problem, problems } = await verifyChain(system, key, { checkpoint })
  expect(verified).toBe(problem === undefined)
  expect(problem).toBe(problems[0])
  await byHand(
    'truncate audit',
    'truncate audit_seal',
    'insert into audit overriding system value select * from kept_audit',
    'insert into audit_seal select * from kept_seal',
    'drop table kept_audit',
    'drop table kept_seal',
  )
  return problems
}

test('the chain verifies, and detects each kind of manual tampering', async () => {
  await writeRows(150)
  const { verified, sealedTo: checkpoint } = await verifyChain(system, key)
  expect(verified).toBe(true)
  // Other tests write to the log as well.
  const last = Number(checkpoint.seq)
  expect(last).toBeGreaterThanOrEqual(150)

  expect(await verdictAfter([])).toBeUndefined()
  expect(
    await verdictAfter([
      `update audit set subject_id = 'other' where audit_id = (select audit_id from audit_seal where seq = 70)`,
    ]),
  ).toMatch(/does not match seal 70$/)
  expect(await verdictAfter([`update audit_seal set hash = decode(repeat('00', 32), 'hex') where seq = 71`])).toMatch(
    /seal 71$/,
  )
  expect(
    await verdictAfter(['delete from audit where audit_id = (select audit_id from audit_seal where seq = 72)']),
  ).toMatch(/\(seal 72\) is missing$/)
  expect(await verdictAfter(['delete from audit_seal where seq = 73'])).toBe('seal 73 is missing')
  const lastSealGone = await problemsAfter([`delete from audit_seal where seq = ${last}`])
  expect(lastSealGone[0]).toContain(`the log ends at seal ${last - 1}, but was sealed up to seal ${last} at `)
  expect(lastSealGone[1]).toMatch(/has no seal$/)
  expect(
    await verdictAfter([
      `insert into audit (at, actor_kind, source, action, subject_type, subject_id, request_id, nonce, mac)
       values (now(), 'user', 'cli', 'x', 'x', 'x', 'x', uuid_send(gen_random_uuid()), 'x')`,
    ]),
  ).toMatch(/has no seal$/)

  const allButFifty = [
    'delete from audit where audit_id in (select audit_id from audit_seal where seq > 50)',
    'delete from audit_seal where seq > 50',
  ]
  expect(await verdictAfter(allButFifty)).toContain(`the log ends at seal 50, but was sealed up to seal ${last} at `)
  expect(await problemsAfter(allButFifty, checkpoint)).toContain(
    `the chain ends at seal 50, before the checkpoint's ${last}`,
  )
  expect(await verdictAfter([], checkpoint)).toBeUndefined()
  expect(await verdictAfter([], { ...checkpoint, hash: '0'.repeat(64) })).toBe(`seal ${last} is not the checkpoint's`)
  expect((await verifyChain(system, keyFor('another secret, as long as the first one', 'audit'))).verified).toBe(false)
})

test('the database itself rejects changing, removing or truncating the log', async () => {
  await writeRows(1)
  for (const statement of [
    "update audit set action = 'x'",
    'delete from audit',
    'truncate audit',
    'update audit_seal set seq = seq + 1',
    'delete from audit_seal',
    'truncate audit_seal',
    "update audit_text set text = 'other'",
    'update audit_text set text = null, salt = null',
    'delete from audit_text',
    'truncate audit_text',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow('append-only')
  }
})

test('a person’s words can be erased and the chain still verifies', async () => {
  await eraseTexts(system, sql`true`)
  await writeRows(3)
  expect(await eraseTexts(system, sql`true`)).toBe(3)
  await sequenceAll()
  expect(await prisma.auditText.count({ where: { text: { not: null } } })).toBe(0)
  expect((await verifyChain(system, key)).verified).toBe(true)
})

test('two sequencers at once give each row one seal and each event one number, without gaps', async () => {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const sequencers = [startSequencer(system, key), startSequencer(system, key)]
  const decided: Promise<unknown>[] = []
  for (let index = 0; index < 120; index += 1) {
    const { commentId } = await make.heldComment({ communityId })
    decided.push(decideComment(ctxOf(database, reviewer), { commentId, outcome: 'approved' }))
  }
  await Promise.all(decided)
  await eventually('all events are numbered', () => prisma.event.count({ where: { seq: null } })).toBe(0)
  await Promise.all(sequencers.map((sequencer) => sequencer.stop()))
  await sequenceAll()

  const numbers = await prisma.event.findMany({ orderBy: { seq: 'asc' }, select: { seq: true } })
  expect(numbers.map((event) => Number(event.seq))).toEqual(numbers.map((_, index) => index + 1))
  expect((await verifyChain(system, key)).verified).toBe(true)
})

test('counts equal a recount at every moment of decisions, undos and folding', async () => {
  const { communityId } = await make.community()
  const reviewer: Actor = await make.reviewerOf(communityId)
  const ctx = ctxOf(database, reviewer)
  for (let index = 0; index < 40; index += 1) await make.heldComment({ communityId })
  const sequencer = startSequencer(system, key)

  const waiting = await prisma.comment.findMany({ where: { communityId, approvalStatus: 'pending' } })
  for (const [index, { commentId }] of waiting.entries()) {
    const decided = await decideComment(ctx, { commentId, outcome: index % 2 === 0 ? 'approved' : 'rejected' })
    if (index % 3 === 0) await undoDecision(ctx, decided)
    const recount = await prisma.comment.count({ where: { communityId, approvalStatus: 'pending', isDeleted: false } })
    expect((await countQueue(ctx)).total).toBe(recount)
  }
  await sequencer.stop()
})

test('the sequencer checks and signs the end of the log when it starts, before any row is pending', async () => {
  await writeRows(1)
  const headAt = async () => (await prisma.auditHead.findFirstOrThrow()).at
  const later = new Date((await headAt()).getTime() + 1_000)
  const sequencer = startSequencer({ ...system, now: () => later }, key)
  await eventually('the end of the log is signed again', headAt).toEqual(later)
  await sequencer.stop()
  expect((await verifyChain(system, key)).verified).toBe(true)
})

test('an event is released at its time, and not before', async () => {
  const { now, advance } = clockAt(new Date().toISOString())
  const { communityId } = await make.community()
  const ctx = ctxOf(database, await make.reviewerOf(communityId), { now, undoWindowMs: 10_000 })
  const { commentId } = await make.heldComment({ communityId })
  await decideComment(ctx, { commentId, outcome: 'approved' })
  const state = async () => (await prisma.event.findFirstOrThrow({ where: { subjectId: commentId } })).state

  await sequenceBatch({ ...system, now }, key)
  expect(await state()).toBe('held')
  advance(9_999)
  await sequenceBatch({ ...system, now }, key)
  expect(await state()).toBe('held')
  advance(1)
  await sequenceBatch({ ...system, now }, key)
  expect(await state()).toBe('released')
})

/** What is not in order yet. */
async function countWaiting() {
  const { rows } = await pool.query<{ events: number; log: number; deltas: number }>(
    `select (select count(*)::int from event where seq is null) as events, (select count(*)::int from audit_unsealed) as log,
       (select count(*)::int from tally_delta) as deltas`,
  )
  return rows[0]
}

async function decideOne(): Promise<void> {
  const { communityId } = await make.community()
  const { commentId } = await make.heldComment({ communityId })
  await decideComment(ctxOf(database, await make.reviewerOf(communityId)), { commentId, outcome: 'approved' })
}

test('events are numbered while another process seals the log or folds counts', async () => {
  await sequenceAll()
  await decideOne()
  await whileAlone(system, 'log', async () => {
    await whileAlone(system, 'counts', () => sequenceBatch(system, key))
    expect(await countWaiting()).toMatchObject({ events: 0, log: 1, deltas: 2 })
  })
  await sequenceBatch(system, key)
  expect(await countWaiting()).toEqual({ events: 0, log: 0, deltas: 0 })
})

test('the log is sealed while another process numbers events', async () => {
  await sequenceAll()
  await decideOne()
  await whileAlone(system, 'events', () => sequenceBatch(system, key))
  expect(await countWaiting()).toEqual({ events: 1, log: 0, deltas: 0 })
})

test('nothing is put in order while somebody alone takes all steps', async () => {
  await sequenceAll()
  await decideOne()
  await inTransaction(system, async (ctx) => {
    await execute(ctx, sql`select pg_advisory_xact_lock(${SEQUENCER_LOCK}::bigint)::text as locked`)
    await sequenceBatch(system, key)
    expect(await countWaiting()).toMatchObject({ events: 1, log: 1 })
  })
  await sequenceBatch(system, key)
  expect(await countWaiting()).toEqual({ events: 0, log: 0, deltas: 0 })
})
