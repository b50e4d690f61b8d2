import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { checksumsOf } from '#server/testing/checksums.ts'
import { startOlderPostgres } from '#server/testing/older-postgres.ts'
import { benchDatabase, emptyDatabase, withPool } from '../data/bench-database.ts'
import { ctxOf, issueCredentials, withDatabase } from '../data/bench-people.ts'
import { putHeldCommentsBack, takeHeldComments } from '../data/held-comments.ts'
import { delayRows, sortDelays } from '../measure/delays.ts'
import { runCommand, startDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'

const OLDER = ['16', '17']
const CLIENTS = 4
/** More than they decide during a backup. */
const ITEMS = 50_000
const ALONE_MS = 10_000

interface Options {
  held: number
  say: (line: string) => void
}

/** A backup while people decide, and one at rest that is restored into each supported version of PostgreSQL and compared with its source. */
export async function benchBackup(
  serverUrl: string,
  { held, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await benchDatabase(serverUrl, held, say)
  const folder = await mkdtemp(join(tmpdir(), 'docket-bench-backup-'))
  try {
    const busy = await backUpWhileDeciding(databaseUrl, join(folder, 'busy.backup'), say)
    say('A backup at rest')
    const file = join(folder, 'rest.backup')
    const restMs = await timed(() => runCommand(databaseUrl, 'backup', file))
    const source = await withPool(databaseUrl, checksumsOf)

    const restored: Restored[] = []
    const restoreInto = async (version: string, url: string) => {
      say(`Restoring into PostgreSQL ${version}`)
      restored.push({ version, ...(await restoreAndCompare({ url, file, source })) })
    }
    await restoreInto('18', await emptyDatabase(serverUrl, 'docket_bench_restored'))
    for (const version of OLDER) {
      const server = await startOlderPostgres(version)
      await restoreInto(version, await emptyDatabase(server.url, 'restored')).finally(server.stop)
    }
    const bytes = (await stat(file)).size
    return { databaseUrl, report: reportOf({ held, busy, restMs, bytes, restored, source }) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

interface Busy {
  ms: number
  /** Of each decision in milliseconds, before and during the backup. */
  alone: number[]
  during: number[]
}

async function backUpWhileDeciding(url: string, file: string, say: (line: string) => void): Promise<Busy> {
  const { token } = await issueCredentials(url)
  const docket = await startDocket(url)
  try {
    return await withPool(url, async (pool) => {
      const items = await takeHeldComments(pool, ITEMS)
      const decide = async () => {
        const item = items.pop()
        if (item === undefined) throw new Error('There are too few items to decide on')
        const answer = await fetch(`${docket.origin}/api/v3/comments/${item.commentId}/approve`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        })
        if (!answer.ok) throw new Error(`A decision was answered ${answer.status}`)
      }
      say(`A backup while ${CLIENTS} clients decide`)
      const { result: ms, delays: during } = await decideWhile(decide, () =>
        timed(() => runCommand(url, 'backup', file)),
      )
      const { delays: alone } = await decideWhile(decide, () => sleep(ALONE_MS))
      await putHeldCommentsBack(pool)
      return { ms, during, alone }
    })
  } finally {
    await docket.stop()
  }
}

/** How long each decision took that clients made one after another, in milliseconds, until the work was done. */
async function decideWhile<Result>(
  decide: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<{ result: Result; delays: number[] }> {
  const delays: number[] = []
  let isDone = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isDone) {
      const startedAt = performance.now()
      await decide()
      delays.push(performance.now() - startedAt)
    }
  })
  try {
    return { result: await work(), delays }
  } finally {
    isDone = true
    await Promise.all(clients)
  }
}

interface Restored {
  version: string
  ms: number
  /** Tables whose rows aren't those of the source. */
  different: string[]
  isVerified: boolean
}

async function restoreAndCompare({
  url,
  file,
  source,
}: {
  url: string
  file: string
  source: Record<string, string>
}): Promise<Omit<Restored, 'version'>> {
  const ms = await timed(() => runCommand(url, 'restore', file))
  const sums = await withPool(url, checksumsOf)
  return withDatabase(url, async (database) => {
    const different = Object.keys(source).filter((table) => sums[table] !== source[table])
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    const { verified } = await verifyChain(ctx, ctx.auditKey)
    return { ms, different, isVerified: verified }
  })
}

interface Measured {
  held: number
  busy: Busy
  restMs: number
  bytes: number
  restored: Restored[]
  /** Of each table, its number of rows and a sum over them. */
  source: Record<string, string>
}

function reportOf({ held, busy, restMs, bytes, restored, source }: Measured): Report {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(0)} s`
  const tables = Object.keys(source).length
  const rows = Object.values(source).reduce((total, sum) => total + Number.parseInt(sum, 10), 0)
  return {
    scenario: `backup, ${held.toLocaleString('en')} held`,
    limits: restored.map(({ version, different, isVerified }) => ({
      what: `tables equal in PostgreSQL ${version}, and the log verifies`,
      measured: isVerified ? `${tables - different.length} of ${tables}` : 'the log does not verify',
      promised: 'all',
      isHeld: isVerified && different.length === 0,
    })),
    tables: [
      {
        title: 'Time and size',
        note: `${rows.toLocaleString('en')} rows in ${tables} tables.`,
        columns: ['', ''],
        rows: [
          ['backup at rest', seconds(restMs)],
          [`backup while ${CLIENTS} clients decide`, seconds(busy.ms)],
          ['size of the file', `${(bytes / 1_000_000).toFixed(0)} MB`],
          ...restored.map((into) => [`restored into PostgreSQL ${into.version}`, seconds(into.ms)]),
        ],
      },
      {
        title: 'Decisions over REST, in milliseconds',
        note: `${busy.alone.length.toLocaleString('en')} in 10 s without a backup, ${busy.during.length.toLocaleString('en')} during one.`,
        columns: ['', 'without', 'during'],
        rows: delayRows([sortDelays(busy.alone), sortDelays(busy.during)], 1),
      },
    ],
  }
}
