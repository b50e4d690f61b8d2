import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { type Head, openHead, signHead } from '#server/modules/ledger/audit/audit-head.ts'
import { eraseTexts } from '#server/modules/ledger/audit/erase-texts.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { type Verdict, verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { verifyBatch } from '#server/modules/ledger/audit/walk-chain.ts'
import { sealAsEarlierVersion, writeUnsigned } from '#server/testing/audit-of-before.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'

const { database } = await testDatabase()
const system = systemCtx(database)
const key = system.auditKey

/** Ten rows of the previous version, taken over, and thirty of this one; the text of two is erased. */
await writeUnsigned(database, 10)
await sealAsEarlierVersion(database, key)
for (let index = 0; index < 30; index += 1) {
  await recordAudit(system, {
    action: 'test.done',
    subjectType: 'test',
    subjectId: `row-${index}`,
    after: { index },
    text: `words ${index}`,
  })
}
await sealAll(system)
await eraseTexts(system, sql`t.audit_id in (select audit_id from audit_seal where seq in (5, 25))`)
await sealAll(system)
const SEALED = 41

async function sealAll(ctx: Ctx): Promise<void> {
  while ((await sealAudit(ctx, key)) > 0);
}

class RollBack extends Error {}

/** Rows without a signature are sealed for an hour after the upgrade: the tampering happens after that. */
const now = () => new Date(Date.now() + 7_200_000)

/** Tampers past the triggers, as a superuser can, runs `look`, and rolls everything back. */
async function afterHarm<Seen>(harm: string[], look: (ctx: Ctx) => Promise<Seen>): Promise<Seen> {
  const seen: Seen[] = []
  const harmed = inTransaction(
    { ...system, now },
    async (ctx) => {
      await execute(ctx, sql`set local session_replication_role = 'replica'`)
      for (const statement of harm) await execute(ctx, sql.raw(statement))
      await execute(ctx, sql`set local session_replication_role = 'origin'`)
      seen.push(await look(ctx))
      throw new RollBack()
    },
    { limitMs: 20_000 },
  )
  await harmed.catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
  const [result] = seen
  if (result === undefined) throw new Error('nothing was seen')
  return result
}

const verify = (ctx: Ctx) => verifyChain(ctx, key)
const rowOf = (seq: number) => `audit_id = (select audit_id from audit_seal where seq = ${seq})`
const copyOf = (
  seq: number,
) => `insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id,
  channel_id, before, after, text_digest, request_id, nonce, mac)
  select at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id, channel_id, before, after, null, request_id, nonce, mac
  from audit where ${rowOf(seq)}`
const FORGED = `insert into audit (at, actor_kind, source, action, subject_type, subject_id, request_id)
  values (now(), 'user', 'cli', 'staff.created', 'user', 'evil', 'r')`

test('an untouched log verifies, with rows of the previous version and erased text in it', async () => {
  expect(await verify(system)).toMatchObject({ verified: true, unsealed: 0, sealedTo: { seq: String(SEALED) } })
})

describe('without a checkpoint, audit verify finds', () => {
  const CASES: [what: string, harm: string[], problem: RegExp][] = [
    [
      'last rows that were cut',
      [
        `delete from audit where audit_id in (select audit_id from audit_seal where seq > 30)`,
        'delete from audit_seal where seq > 30',
      ],
      /^the log ends at seal 30, but was sealed up to seal 41 at 2/,
    ],
    [
      'both tables emptied',
      ['truncate audit, audit_seal, audit_text, audit_unsealed'],
      /^the log ends at seal 0, but was sealed up to seal 41 at 2/,
    ],
    ['a head that is gone', ['truncate audit_head'], /^the signed head of the log is missing from audit_head$/],
    [
      'a head that was moved back',
      [
        'delete from audit_seal where seq > 30',
        `update audit_head set seq = 30, hash = (select hash from audit_seal where seq = 30)`,
      ],
      /^the head in audit_head is not signed with this DOCKET_SECRET$/,
    ],
    [
      'a row put in by hand, with nobody there to seal it',
      [FORGED, 'insert into audit_unsealed select max(audit_id) from audit'],
      /was not written by Docket: it is not signed$/,
    ],
    ['a row put in by hand past the trigger', [FORGED], /has no seal$/],
    [
      'a changed row',
      [`update audit set actor_id = 'other' where ${rowOf(20)}`],
      /^audit row \d+ does not match seal 20$/,
    ],
    ['a changed signature', [`update audit set mac = null where ${rowOf(20)}`], /does not match seal 20$/],
    [
      'a moment moved by a microsecond',
      [
        'alter table audit alter column at type timestamptz(6)',
        `update audit set at = at + interval '1 microsecond' where ${rowOf(20)}`,
      ],
      /does not match seal 20$/,
    ],
    [
      'a moment moved by a microsecond in a row of the version before',
      [
        'alter table audit alter column at type timestamptz(6)',
        `update audit set at = at + interval '1 microsecond' where ${rowOf(4)}`,
      ],
      /does not match seal 4$/,
    ],
    [
      'changed words',
      [`update audit_text set text = 'other' where ${rowOf(20)}`],
      /^the words of audit row \d+ were changed$/,
    ],
    [
      'changed words of a row of the version before',
      [`update audit_text set text = 'other' where ${rowOf(4)}`],
      /were changed$/,
    ],
    ['deleted words', [`delete from audit_text where ${rowOf(20)}`], /^the words of audit row \d+ are missing$/],
    [
      'words that were taken out as if they were erased',
      [`update audit_text set text = null, salt = null, erased_by = 'nobody' where ${rowOf(20)}`],
      /are missing$/,
    ],
    [
      'words that were taken out in the name of a real erasure of others',
      [
        `update audit_text set text = null, salt = null where ${rowOf(20)}`,
        `update audit_text set erased_by = (select max(erased_by) from audit_text) where ${rowOf(20)}`,
      ],
      /are missing$/,
    ],
    [
      'words that were put beside a row that had none',
      [
        `insert into audit_text (audit_id, salt, text) select audit_id, decode(repeat('00', 16), 'hex'), 'x' from audit_seal where seq = 41`,
      ],
      /^audit row \d+ has words that were not written with it$/,
    ],
    [
      'words of a row that is not there',
      [`insert into audit_text (audit_id, text) values (999999, 'x')`],
      /^audit row 999999, which words belong to, is missing$/,
    ],
    [
      'a change hidden by a replaced SQL function',
      [
        `create or replace function audit_content(a audit) returns text language plpgsql immutable as $$
        begin a.subject_id := 'row-9'; return jsonb_build_array(a.audit_id)::text; end $$`,
        `update audit set subject_id = 'other' where ${rowOf(20)}`,
      ],
      /does not match seal 20$/,
    ],
    [
      'a replaced SQL function',
      [`create or replace function audit_content(a audit) returns text language sql immutable as $$ select 'same' $$`],
      /^the function audit_content was replaced$/,
    ],
    [
      'a guard that lets changes through',
      [`create or replace function reject_change() returns trigger language plpgsql as $$ begin return new; end $$`],
      /^the function of the trigger audit\.audit_append_only was replaced$/,
    ],
    [
      'a guard that is off',
      ['alter table audit disable trigger audit_append_only'],
      /^the trigger audit\.audit_append_only is disabled$/,
    ],
    [
      'rules on a table',
      ['create rule quiet as on delete to audit do instead nothing'],
      /^audit is not the plain table that it was$/,
    ],
    ['a copy of a row, sealed or not', ['drop index audit_nonce', copyOf(41)], /^audit row \d+ has no seal$/],
    [
      'what the background check noted',
      [
        `insert into audit_check (walk, seq, hash, began_at, checked_at, problem)
        values ('full', 12, '', now(), now(), 'seal 374 is missing')`,
      ],
      /^seal 374 is missing$/,
    ],
  ]
  test.each(CASES)('%s', async (_what, harm, problem) => {
    const { verified, problem: found } = await afterHarm(harm, verify)
    expect(found).toMatch(problem)
    expect(verified).toBe(false)
  })
})

describe('a running sequencer', () => {
  const sealThenVerify = async (ctx: Ctx): Promise<Verdict & { sealed: number }> => {
    const sealed = await sealAudit(ctx, key)
    return { sealed, ...(await verify(ctx)) }
  }

  test('does not reseal history whose seals were deleted', async () => {
    const { sealed, problem } = await afterHarm(
      [
        `update audit set subject_id = 'other' where ${rowOf(20)}`,
        'insert into audit_unsealed select audit_id from audit_seal where seq >= 15',
        'delete from audit_seal where seq >= 15',
      ],
      sealThenVerify,
    )
    expect(sealed).toBe(0)
    expect(problem).toMatch(/^the log ends at seal 14, but was sealed up to seal 41/)
  })

  test('does not seal a row that the program did not write, or that was changed or copied before its seal', async () => {
    const insertedByHand = [`${FORGED}`, 'insert into audit_unsealed select max(audit_id) from audit']
    expect(await afterHarm(insertedByHand, sealThenVerify)).toMatchObject({
      sealed: 0,
      problem: expect.stringMatching(/was not written by Docket: it is not signed$/),
    })
    const changed = async (ctx: Ctx) => {
      await recordAudit(ctx, { action: 'test.changed', subjectType: 'test', subjectId: 'a' })
      await recordAudit(ctx, { action: 'test.kept', subjectType: 'test', subjectId: 'b' })
      await execute(ctx, sql`update audit set subject_id = 'c' where action = 'test.changed'`)
      return sealThenVerify(ctx)
    }
    // The other row gets its seal.
    expect(
      await afterHarm(
        ['alter table audit disable trigger user', 'alter table audit enable trigger audit_await_seal'],
        changed,
      ),
    ).toMatchObject({
      sealed: 1,
      problem: expect.stringMatching(/was not written by Docket: its signature is wrong$/),
    })
    const copied = ['drop index audit_nonce', copyOf(41), 'insert into audit_unsealed select max(audit_id) from audit']
    expect((await afterHarm(copied, sealThenVerify)).problems).toContainEqual(
      expect.stringMatching(/^audit row \d+ is a copy of row \d+$/),
    )
    await expect(afterHarm([copyOf(41)], verify)).rejects.toThrow('audit_nonce')
  })

  test('reports a row that was deleted before its seal, and continues with the others', async () => {
    const seen = await afterHarm(['insert into audit_unsealed values (999999)'], async (ctx) => {
      await recordAudit(ctx, { action: 'test.done', subjectType: 'test', subjectId: 'a' })
      return sealThenVerify(ctx)
    })
    expect(seen).toMatchObject({
      sealed: 1,
      problem: 'audit row 999999 is missing: it was there and waited for its seal',
    })
  })

  test('keeps numbering events while it does not seal, and reports the problem for as long as it lasts', async () => {
    const stopped: (string | undefined)[] = []
    const kept: Head[] = []
    const heads = {
      known: async () => ({}),
      keep: (head: Head) => kept.push(head),
      stopSealing: (problem: string | undefined) => stopped.push(problem),
      close: async () => {},
    }
    const numbers = await afterHarm(['delete from audit_seal where seq > 30'], async (ctx) => {
      await execute(
        ctx,
        sql`
        insert into event (name, subject_type, subject_id, payload, state, created_at, releases_at)
        values ('x', 'x', 'x', '{}', 'released', now(), now())`,
      )
      await recordAudit(ctx, { action: 'test.done', subjectType: 'test', subjectId: 'a' })
      await sequenceBatch(ctx, key, { heads })
      await verifyBatch(ctx, key)
      const noted = await queryOne<{ problem: string }>(ctx, sql`select problem from audit_check where walk = 'latest'`)
      expect(noted?.problem).toMatch(/^the log ends at seal 30/)
      return query<{ seq: string | null }>(ctx, sql`select seq from event where name = 'x'`)
    })
    expect(numbers).toEqual([{ seq: expect.any(String) }])
    expect(stopped).toEqual([expect.stringMatching(/^the log ends at seal 30, but was sealed up to seal 41/)])
    expect(kept).toEqual([])
  })
})

test('a sequencer of the previous version may run beside this one, and its seals are taken over', async () => {
  const before = await verify(system)
  await writeUnsigned(database, 3)
  await sealAsEarlierVersion(database, key)
  await writeUnsigned(database, 2)
  expect(await sealAudit(system, key)).toBe(2)
  const after = await verify(system)
  expect(after).toMatchObject({ verified: true, head: { seq: String(Number(before.sealedTo.seq) + 5) } })
})

test('seals rows without a signature for an hour after an upgrade, and not after that', async () => {
  await writeUnsigned(database, 1)
  const { sealed, problem } = await afterHarm([], async (ctx) => ({
    sealed: await sealAudit(ctx, key),
    problem: (await verify(ctx)).problem,
  }))
  expect(sealed).toBe(0)
  expect(problem).toMatch(/it is not signed$/)
  expect(await sealAudit(system, key)).toBe(1)
})

test('opens a head only with its key and unchanged', () => {
  const head = {
    generation: 1,
    seq: '5',
    count: '5',
    hash: '0'.repeat(64),
    at: '2026-11-22T10:00:00.000Z',
    unsignedUntil: null,
  }
  const signed = signHead(key, head)
  expect(openHead(key, signed)).toEqual(head)
  for (const other of [
    { generation: 2 },
    { seq: '4' },
    { count: '4' },
    { at: '2026-11-22T10:00:00.001Z' },
    { unsignedUntil: head.at },
  ]) {
    expect(openHead(key, { ...signed, ...other })).toBeUndefined()
  }
  expect(openHead(Buffer.alloc(32), signed)).toBeUndefined()
})
