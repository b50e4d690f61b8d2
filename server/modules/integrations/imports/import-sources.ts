import { createHash } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { numberMessages } from '#server/modules/content/messages/number-messages.ts'
import { addBatch, type Entry } from '#server/modules/integrations/imports/add-batch.ts'
import {
  count,
  emptyCounts,
  FirstErrors,
  type ImportError,
  type ImportReport,
  mergeReports,
} from '#server/modules/integrations/imports/import-report.ts'
import { parseRecord, typeOf } from '#server/modules/integrations/imports/parse-record.ts'
import type { Line } from '#server/modules/integrations/imports/read-lines.ts'
import { KINDS, type RecordType } from '#server/modules/integrations/imports/records/kinds.ts'
import { type Row, STAGES, type Stage } from '#server/modules/integrations/imports/records/record-kind.ts'
import { SegmentPlan } from '#server/modules/integrations/imports/segment-plan.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** A source that can be read several times: once to check all of it, then once for each stage of its records. */
export interface RecordSource {
  /** Reported with its errors, if there are several sources. */
  name?: string
  /** `onContent` is called for every chunk of its content. */
  read(onContent?: (piece: Buffer) => void): AsyncIterable<Line>
  /** Called instead of `read` for a stage of which it has no records. */
  skip?(): void
}

/** Stops a strict import. */
export class BadLine extends Error {
  readonly error: ImportError

  constructor(error: ImportError) {
    super(error.reason)
    this.error = error
  }
}

/**
 * Adds the records of each source whose id does not exist yet. All sources are read to their end before anything is added, so
 * an unreadable source adds nothing. If interrupted, it leaves whole batches, and running it again adds the rest. Fails with
 * BadLine at the first bad line if it is strict.
 */
export async function importSources(
  ctx: Ctx,
  sources: RecordSource[],
  { strict }: { strict: boolean },
): Promise<ImportReport> {
  const segments = new SegmentPlan()
  const intakes = sources.map((source) => new Intake(source, { strict, now: ctx.now().toISOString(), segments }))
  for (const intake of intakes) await intake.inspect()
  for (const intake of intakes) {
    for (const stage of STAGES) await intake.add(ctx, stage)
    await intake.number(ctx)
    await intake.audit(ctx)
  }
  return mergeReports(intakes.map((intake) => intake.report()))
}

const BATCH_RECORDS = 1_000
/** The most characters of a batch: a thousand records of the maximum size would fill the memory. */
const BATCH_LENGTH = 4 * 1_024 * 1_024

interface Batch {
  entries: Entry[]
  length: number
}

interface IntakeOptions {
  strict: boolean
  now: string
  /** Of all sources together. */
  segments: SegmentPlan
}

/** The import of one source. */
class Intake {
  readonly #source: RecordSource
  readonly #options: IntakeOptions
  readonly #counts = emptyCounts()
  readonly #errors = new FirstErrors()
  readonly #stages = new Set<Stage>()
  readonly #hash = createHash('sha256')
  /** The channels to which messages were added. */
  readonly #channelIds = new Set<string>()

  constructor(source: RecordSource, options: IntakeOptions) {
    this.#source = source
    this.#options = options
  }

  /** Reads all of it, and rejects invalid records: each bad line is found here once, in the order of lines. */
  async inspect(): Promise<void> {
    for await (const line of this.#source.read((piece) => this.#hash.update(piece))) {
      const parsed = 'fault' in line ? { reason: line.fault } : parseRecord(fieldsOf(line.text), this.#options.now)
      if ('reason' in parsed) this.#reject(line.number, parsed.reason)
      else {
        this.#stages.add(KINDS[parsed.type].stage)
        if (parsed.type === 'message') this.#options.segments.note(parsed.row)
      }
    }
  }

  async add(ctx: Ctx, stage: Stage): Promise<void> {
    if (!this.#stages.has(stage)) return this.#source.skip?.()
    const batches = new Map<RecordType, Batch>()
    for await (const line of this.#source.read()) {
      if ('fault' in line) continue
      const fields = fieldsOf(line.text)
      const type = typeOf(fields)
      if (type === undefined || KINDS[type].stage !== stage) continue
      const parsed = parseRecord(fields, this.#options.now)
      if ('reason' in parsed) continue

      const batch = batches.get(type) ?? { entries: [], length: 0 }
      batches.set(type, batch)
      batch.entries.push({ line: line.number, row: parsed.row })
      batch.length += line.text.length
      if (batch.entries.length < BATCH_RECORDS && batch.length < BATCH_LENGTH) continue
      batches.delete(type)
      await this.#flush(ctx, type, batch)
    }
    for (const [type, batch] of batches) await this.#flush(ctx, type, batch)
  }

  /**
   * Numbers the messages that were added without a segment; after an interruption the worker, or the next import, numbers the
   * rest.
   */
  async number(ctx: Ctx): Promise<void> {
    for (const channelId of this.#channelIds) await numberMessages(ctx, channelId)
  }

  /** One audit row for the import; records added before an interruption appear only in the rows of their batches. */
  async audit(ctx: Ctx): Promise<void> {
    const subjectId = this.#hash.digest('hex')
    if (Object.keys(this.#counts.added).length === 0) return
    await recordAudit(ctx, { action: 'import.finished', subjectType: 'import', subjectId, after: { ...this.#counts } })
  }

  report(): ImportReport {
    return { ...this.#counts, errors: this.#errors.inOrder() }
  }

  async #flush(ctx: Ctx, type: RecordType, { entries }: Batch): Promise<void> {
    const { segments } = this.#options
    const assign = type === 'message' ? (ctx: Ctx, rows: Row[]) => segments.assign(ctx, rows) : undefined
    const { added, unchanged, refused } = await addBatch(ctx, KINDS[type], entries, assign)
    if (type === 'message') for (const { row } of entries) this.#channelIds.add(String(row.channelId))
    count(this.#counts.added, type, added)
    count(this.#counts.unchanged, type, unchanged)
    for (const { line, reason } of refused.sort((one, other) => one.line - other.line)) this.#reject(line, reason)
  }

  #reject(line: number, reason: string): void {
    const error = { ...(this.#source.name !== undefined && { file: this.#source.name }), line, reason }
    if (this.#options.strict) throw new BadLine(error)
    this.#counts.refused += 1
    this.#errors.add(error)
  }
}

function fieldsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
