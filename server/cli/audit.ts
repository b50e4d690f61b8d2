import { readFile } from 'node:fs/promises'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { keyFor } from '#server/core/secret.ts'
import { acceptRestore } from '#server/modules/ledger/audit/accept-restore.ts'
import { openHeadStore, readHeadFile } from '#server/modules/ledger/audit/head-store.ts'
import { Checkpoint, type Verdict, verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'

/** `audit verify`: checks the whole log against its seals and the signed heads that this home and the database store. */
export async function auditVerify(at: CommandContext, options: { checkpoint?: string }): Promise<Outcome> {
  const checkpoint =
    options.checkpoint === undefined
      ? undefined
      : Checkpoint.parse(JSON.parse(await readFile(options.checkpoint, 'utf8')))
  const verdict = await verify(at, checkpoint)
  const waiting = verdict.unsealed > 0 ? `; ${verdict.unsealed} newer rows are not sealed yet` : ''
  return {
    json: { ...verdict },
    text: verdict.verified ? `The chain is valid up to seal ${verdict.sealedTo.seq}${waiting}.` : brokenText(verdict),
    hasFailed: !verdict.verified,
  }
}

/** `audit checkpoint`: prints the end of a valid chain. */
export async function auditCheckpoint(at: CommandContext): Promise<Outcome> {
  const verdict = await verify(at)
  if (!verdict.verified) return { json: { ...verdict }, text: brokenText(verdict), hasFailed: true }
  return { json: { ...verdict.sealedTo }, text: JSON.stringify(verdict.sealedTo) }
}

/** `audit accept-restore`: signs a new head at the current end of the log, and logs what was given up. */
export async function auditAcceptRestore(at: CommandContext, { reason }: { reason: string }): Promise<Outcome> {
  const { ctx, secret, auditHeadFile: file } = at
  const key = keyFor(secret, 'audit')
  const { from, head, problem } = await acceptRestore(ctx, key, await readHeadFile(file, key), reason)
  const heads = await openHeadStore({ file, key, log: ctx.log })
  heads.keep(head)
  await heads.close()
  const lost = from === undefined ? 'a head that could not be read' : `seal ${from.seq}`
  return {
    json: { ...(from && { from }), head, problem },
    text: `Accepted: ${problem}. The log continues from seal ${head.seq}. Rows between there and ${lost} are lost, and the log records this.`,
  }
}

/** Reads the head of the home before the database: while a worker seals, the database is never behind it. */
async function verify({ ctx, secret, auditHeadFile }: CommandContext, checkpoint?: Checkpoint): Promise<Verdict> {
  const key = keyFor(secret, 'audit')
  const known = await readHeadFile(auditHeadFile, key)
  return verifyChain(ctx, key, { checkpoint, known })
}

function brokenText({ problem, problems }: Verdict): string {
  const others = problems.slice(1).map((other) => `\n  also: ${other}`)
  const isBehind = problems.some((other) => other.includes('sealed up to') || other.includes('head'))
  const advice = isBehind
    ? '\nIf the database was restored from an older backup, "docket audit accept-restore --reason …" continues from there and records it.'
    : ''
  return `The chain is broken: ${problem}.${others.join('')}${advice}`
}
