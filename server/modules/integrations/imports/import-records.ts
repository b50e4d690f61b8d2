import type { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import type { ImportReport } from '#server/modules/integrations/imports/import-report.ts'
import { importSources, type RecordSource } from '#server/modules/integrations/imports/import-sources.ts'
import type { KINDS, RecordType } from '#server/modules/integrations/imports/records/kinds.ts'

/** A record as in a file with one JSON object per line. */
export type ImportRecord = {
  [Type in RecordType]: { type: Type } & z.input<(typeof KINDS)[Type]['schema']>
}[RecordType]

/** Adds the records whose id does not exist yet, as from a file; the report counts lines from 1. */
export function importRecords(ctx: Ctx, records: ImportRecord[]): Promise<ImportReport> {
  return importSources(ctx, [sourceOf(records)], { strict: false })
}

function sourceOf(records: ImportRecord[]): RecordSource {
  return {
    async *read(onContent) {
      for (const [index, record] of records.entries()) {
        const text = JSON.stringify(record)
        onContent?.(Buffer.from(`${text}\n`))
        yield { number: index + 1, text }
      }
    },
  }
}
