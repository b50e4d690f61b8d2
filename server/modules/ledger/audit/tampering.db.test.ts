import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { type Head, openHead, signHead } from '#server/modules/ledger/audit/audit-head.ts'
import { eraseTexts } from '#server/modules/ledger/audit/erase-texts.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { type Verdict, verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { verifyBatch } from '#server/modules/ledger/audit/walk-chain.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'

const { database } = await testDatabase()
const system = systemCtx(database)
const key = system.auditKey

/** Forty rows, the text of two of them erased, and the row that records it. */
for (let index = 0; index < 40; index += 1) {
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

/** Tampers past the triggers, as a superuser can, runs `look`, and rolls everything back. */
async function afterHarm<Seen>(harm: string[], look: (ctx: Ctx) => Promise<Seen>): Promise<Seen> {
  const seen: Seen[] = []
  const harmed = inTransaction(
    system,
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
const FORGED = `insert into audit (at, actor_kind, source, action, subject_type, subject_id, request_id, nonce, mac)
  values (now(), 'user', 'cli', 'staff.created', 'user', 'evil', 'r', uuid_send(gen_random_uuid()), uuid_send(gen_random_uuid()))`
const UNSIGNED = [
  'alter table audit alter nonce drop not null, alter mac drop not null',
  FORGED,
  `update audit set nonce = null, mac = null where subject_id = 'evil'`,
]

test('an untouched log verifies, with erased text in it', async () => {
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
      /was not written by Docket: its signature is wrong$/,
    ],
    [
      'a row without a signature, with nobody there to seal it',
      [...UNSIGNED, 'insert into audit_unsealed select max(audit_id) from audit'],
      /was not written by Docket: its signature is wrong$/,
    ],
    [
      'a seal put in by hand',
      [FORGED, 'insert into audit_seal select 42, max(audit_id), decode(repeat($$00$$, 32), $$hex$$) from audit'],
      /^seal 42 was not made by Docket: the log was sealed up to seal 41$/,
    ],
    ['a row put in by hand past the trigger', [FORGED], /has no seal$/],
    [
      'a changed row',
      [`update audit set actor_id = 'other' where ${rowOf(20)}`],
      /^audit row \d+ does not match seal 20$/,
    ],
    ['a changed signature', [`update audit set mac = nonce where ${rowOf(20)}`], /does not match seal 20$/],
    [
      'a moment moved by a microsecond',
      [
        'alter table audit alter column at type timestamptz(6)',
        `update audit set at = at + interval '1 microsecond' where ${rowOf(20)}`,
      ],
      /does not match seal 20$/,
    ],
    [
      'changed words',
      [`update audit_text set text = 'other' where ${rowOf(20)}`],
      /^the words of audit row \d+ were changed$/,
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
    for (const insertedByHand of [[FORGED], UNSIGNED]) {
      const harm = [...insertedByHand, 'insert into audit_unsealed select max(audit_id) from audit']
      expect(await afterHarm(harm, sealThenVerify)).toMatchObject({
        sealed: 0,
        problem: expect.stringMatching(/was not written by Docket: its signature is wrong$/),
      })
    }
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

test('opens a head only with its key and unchanged', () => {
  const head = {
    generation: 1,
    seq: '5',
    count: '5',
    hash: '0'.repeat(64),
    at: '2026-11-22T10:00:00.000Z',
  }
  const signed = signHead(key, head)
  expect(openHead(key, signed)).toEqual(head)
  for (const other of [{ generation: 2 }, { seq: '4' }, { count: '4' }, { at: '2026-11-22T10:00:00.001Z' }]) {
    expect(openHead(key, { ...signed, ...other })).toBeUndefined()
  }
  expect(openHead(Buffer.alloc(32), signed)).toBeUndefined()
})
