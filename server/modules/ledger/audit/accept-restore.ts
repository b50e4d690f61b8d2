import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { GENESIS, type Head, type KnownHead, readChainEnd, signHead } from '#server/modules/ledger/audit/audit-head.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { insertHead } from '#server/modules/ledger/audit/seal-audit.ts'
import { SEQUENCER_LOCK } from '#server/modules/ledger/while-alone.ts'

export interface Accepted {
  /** What was known before, if a head could be read. */
  from?: { generation: number; seq: string }
  head: Head
  /** What prevented sealing. */
  problem: string
}

/**
 * Continues from the log as it is, although a head says that there was more: for a database restored from an older backup. The
 * log records who accepted the loss, and why. INVALID if nothing prevents sealing.
 */
export function acceptRestore(ctx: Ctx, key: Buffer, known: KnownHead, reason: string): Promise<Accepted> {
  return inTransaction(ctx, async (ctx) => {
    await execute(ctx, sql`select pg_advisory_xact_lock(${SEQUENCER_LOCK}::bigint)::text as locked`)
    const { last, head: before, problem } = await readChainEnd(ctx, key, known)
    if (problem === undefined) {
      throw new DomainError('INVALID_PARAMETERS', {
        detail: ['The log is not behind its signed head, so there is nothing to accept.'],
      })
    }
    const now = ctx.now()
    const seq = last?.seq ?? '0'
    const head: Head = {
      generation: (before?.generation ?? 1) + 1,
      seq,
      count: seq,
      hash: last?.hash ?? GENESIS.toString('hex'),
      at: now.toISOString(),
    }
    await recordAudit(ctx, {
      action: 'audit.restoreAccepted',
      subjectType: 'audit',
      subjectId: 'log',
      ...(before && { before: { ...before } }),
      after: { ...head, problem },
      text: reason,
    })
    // The position and findings of the background check are reset too.
    await execute(ctx, sql`delete from audit_check where walk in ('latest', 'full')`)
    await execute(ctx, insertHead(head, signHead(key, head).mac))
    return { ...(before && { from: { generation: before.generation, seq: before.seq } }), head, problem }
  })
}
