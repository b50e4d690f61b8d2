import { readFile } from 'node:fs/promises'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { keyFor } from '#server/core/secret.ts'
import { Checkpoint, verifyChain } from '#server/modules/audit/verify-chain.ts'

/** `audit verify`: recomputes the chain, and holds it against a checkpoint that was kept elsewhere. */
export async function auditVerify({ ctx, secret }: CommandContext, options: { checkpoint?: string }): Promise<Outcome> {
  const checkpoint =
    options.checkpoint === undefined
      ? undefined
      : Checkpoint.parse(JSON.parse(await readFile(options.checkpoint, 'utf8')))
  const verdict = await verifyChain(ctx, keyFor(secret, 'audit'), checkpoint)
  const waiting = verdict.unsealed > 0 ? `; ${verdict.unsealed} newer rows are not sealed yet` : ''
  return {
    json: { ...verdict },
    text: verdict.verified
      ? `The chain holds up to seal ${verdict.sealedTo.seq}${waiting}.`
      : `The chain is broken: ${verdict.problem}.`,
    hasFailed: !verdict.verified,
  }
}

/** `audit checkpoint`: the end of a chain that holds. */
export async function auditCheckpoint({ ctx, secret }: CommandContext): Promise<Outcome> {
  const verdict = await verifyChain(ctx, keyFor(secret, 'audit'))
  if (!verdict.verified)
    return { json: { ...verdict }, text: `The chain is broken: ${verdict.problem}.`, hasFailed: true }
  return { json: { ...verdict.sealedTo }, text: JSON.stringify(verdict.sealedTo) }
}
