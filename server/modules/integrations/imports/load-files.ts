import { stat } from 'node:fs/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, isInTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { emptyCounts, type ImportReport } from '#server/modules/integrations/imports/import-report.ts'
import { BadLine, importSources, type RecordSource } from '#server/modules/integrations/imports/import-sources.ts'
import { readLines } from '#server/modules/integrations/imports/read-lines.ts'
import { STAGES } from '#server/modules/integrations/imports/records/record-kind.ts'

interface LoadFiles {
  files: string[]
  /** Adds all or nothing: everything in one transaction, which the first bad line ends. */
  strict: boolean
  /** Called with the bytes read so far, and the total bytes of all passes. */
  onProgress?: ((read: number, total: number) => void) | undefined
}

/** Imports NDJSON or gzipped NDJSON. If a file cannot be read to its end it fails with INVALID_REQUEST, and adds nothing. */
export async function loadFiles(ctx: Ctx, { files, strict, onProgress }: LoadFiles): Promise<ImportReport> {
  const sizes = await Promise.all(files.map(sizeOf))
  const total = (1 + STAGES.length) * sizes.reduce((sum, size) => sum + size, 0)
  let read = 0
  const onRead = (length: number) => {
    read += length
    onProgress?.(read, total)
  }
  const sources = files.map((path, index) =>
    sourceOf(path, { onRead, size: sizes[index] ?? 0, isOneOfSeveral: files.length > 1 }),
  )
  return strict ? importAllOrNothing(ctx, sources) : importSources(ctx, sources, { strict })
}

/** The longest possible timer: a transaction over millions of rows is slow, and each statement has its own limit. */
const TRANSACTION_LIMIT_MS = 2 ** 31 - 1

async function importAllOrNothing(ctx: Ctx, sources: RecordSource[]): Promise<ImportReport> {
  if (isInTransaction(ctx)) throw new Error('a strict import makes its own transaction')
  try {
    return await inTransaction(ctx, (ctx) => importSources(ctx, sources, { strict: true }), {
      limitMs: TRANSACTION_LIMIT_MS,
    })
  } catch (error) {
    if (error instanceof BadLine) return { ...emptyCounts(), refused: 1, errors: [error.error] }
    throw error
  }
}

/** Rejects what cannot be read several times, such as a pipe. */
async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw unreadable(path, found.isDirectory() ? 'This is a folder' : 'This is not a file')
    return found.size
  } catch (error) {
    throw error instanceof DomainError ? error : unreadable(path, faultOf(error), error)
  }
}

interface FileToRead {
  onRead: (bytes: number) => void
  size: number
  isOneOfSeveral: boolean
}

function sourceOf(path: string, { onRead, size, isOneOfSeveral }: FileToRead): RecordSource {
  return {
    ...(isOneOfSeveral && { name: path }),
    skip: () => onRead(size),
    async *read(onContent) {
      try {
        yield* readLines(path, (piece) => {
          onRead(piece.length)
          onContent?.(piece)
        })
      } catch (error) {
        throw unreadable(path, faultOf(error), error)
      }
    },
  }
}

function unreadable(path: string, fault: string, cause?: unknown): DomainError {
  return new DomainError('INVALID_REQUEST', { detail: [`${path}: ${fault}`] }, { cause })
}

const FAULTS: Record<string, string> = {
  ENOENT: 'File not found',
  EACCES: 'No permission to read it',
  Z_BUF_ERROR: 'The gzip data is incomplete',
  Z_DATA_ERROR: 'The gzip data is corrupt',
}

function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return FAULTS[code] ?? (error instanceof Error ? error.message : String(error))
}
