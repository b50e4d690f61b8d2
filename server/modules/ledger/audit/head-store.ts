import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeWholeFile } from '#server/core/embedded/write-whole-file.ts'
import type { Logger } from '#server/core/log.ts'
import {
  type Head,
  highestOf,
  isHigher,
  type KnownHead,
  openHead,
  signHead,
} from '#server/modules/ledger/audit/audit-head.ts'

/**
 * If the database crashes after it confirmed a commit but before it wrote it to disk, it loses less than this, and the loss is
 * not mistaken for tampering.
 */
const WRITTEN_AFTER_MS = 1_000
const LOGGED_EVERY_MS = 600_000

/** What a process knows of the log apart from the database. */
export interface HeadStore {
  /** The highest head in this process's memory and its file, or what is wrong with the file. */
  known(): Promise<KnownHead>
  /** Remembers a committed head, and writes it to the file and the output after a delay. */
  keep(head: Head): void
  /** Reports once that the log is not sealed and why; without a problem, that it is sealed again. */
  stopSealing(problem: string | undefined): void
  /** Writes what is not yet written. */
  close(): Promise<void>
}

/** The part that may be shown to others. */
export interface SealingState {
  seq: string
  problem: string | undefined
}

interface HeadStoreOptions {
  /** Its folder is created if it does not exist. */
  file: string
  key: Buffer
  log: Logger
  onChange?: (state: SealingState) => void
}

export async function openHeadStore({ file, key, log, onChange }: HeadStoreOptions): Promise<HeadStore> {
  const found = await readHeadFile(file, key)
  let { problem: fileProblem } = found
  let highest = found.head
  let written = found.head
  let stoppedBy: string | undefined
  let loggedAt: number | undefined
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let canWrite = true

  const changed = () => onChange?.({ seq: highest?.seq ?? '0', problem: stoppedBy })
  changed()

  function write(): Promise<void> {
    timer = undefined
    const head = highest
    if (head === undefined || (written !== undefined && !isHigher(head, written))) return writing
    writing = writing.then(async () => {
      try {
        await writeHeadFile(file, key, head)
        written = head
        canWrite = true
      } catch (err) {
        if (canWrite) log.warn({ err, file }, 'audit: the head of the log cannot be written to its file')
        canWrite = false
      }
    })
    return writing
  }

  function logHead(head: Head): void {
    loggedAt = performance.now()
    log.info({ auditHead: signHead(key, head) }, 'audit: the log is sealed up to here')
  }

  return {
    known: async () => {
      // `docket audit accept-restore` rewrites the file.
      if (fileProblem !== undefined) {
        const again = await readHeadFile(file, key)
        fileProblem = again.problem
        highest = highestOf([highest, again.head])
      }
      return { head: highest, problem: fileProblem }
    },
    keep: (head) => {
      if (!isHigher(head, highest)) return
      highest = head
      changed()
      timer ??= setTimeout(() => void write(), WRITTEN_AFTER_MS).unref()
      if (loggedAt === undefined || performance.now() - loggedAt > LOGGED_EVERY_MS) logHead(head)
    },
    stopSealing: (problem) => {
      if (problem === stoppedBy) return
      stoppedBy = problem
      changed()
      if (problem === undefined) log.info('audit: sealing resumed')
      else log.error({ problem }, 'audit: sealing stopped; run "docket audit verify"')
    },
    close: async () => {
      clearTimeout(timer)
      await write()
      if (highest !== undefined) logHead(highest)
    },
  }
}

/** The content of the file; nothing if there is none yet. */
export async function readHeadFile(file: string, key: Buffer): Promise<KnownHead> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  })
  if (text === undefined) return {}
  const head = openHead(key, parseJson(text))
  return head === undefined ? { problem: `the head in ${file} is not signed with this DOCKET_SECRET` } : { head }
}

/** Another process of this home may have written a higher one in between. */
async function writeHeadFile(file: string, key: Buffer, head: Head): Promise<void> {
  const { head: there } = await readHeadFile(file, key)
  if (highestOf([there, head]) !== head) return
  await mkdir(path.dirname(file), { recursive: true })
  await writeWholeFile(file, `${JSON.stringify(signHead(key, head))}\n`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
