import type { RecordType } from '#server/modules/integrations/imports/records/kinds.ts'

const ERRORS_TOLD = 100

export interface ImportError {
  /** Set if several files are imported. */
  file?: string
  line: number
  reason: string
}

type CountByType = Partial<Record<RecordType, number>>

/** Records by outcome; types without records are left out. */
export interface ImportCounts {
  added: CountByType
  unchanged: CountByType
  refused: number
}

export interface ImportReport extends ImportCounts {
  /** The first hundred, in the order of their lines. */
  errors: ImportError[]
}

export function emptyCounts(): ImportCounts {
  return { added: {}, unchanged: {}, refused: 0 }
}

export function count(counts: CountByType, type: RecordType, more: number): void {
  if (more > 0) counts[type] = (counts[type] ?? 0) + more
}

/** Keeps the first bad lines of a file, found in several passes, in constant memory. */
export class FirstErrors {
  #kept: ImportError[] = []

  add(error: ImportError): void {
    this.#kept.push(error)
    if (this.#kept.length >= 2 * ERRORS_TOLD) this.#kept = this.inOrder()
  }

  inOrder(): ImportError[] {
    return this.#kept.toSorted((one, other) => one.line - other.line).slice(0, ERRORS_TOLD)
  }
}

/** Adds up the reports of several files, in their order. */
export function mergeReports(reports: ImportReport[]): ImportReport {
  const merged: ImportReport = {
    ...emptyCounts(),
    errors: reports.flatMap(({ errors }) => errors).slice(0, ERRORS_TOLD),
  }
  for (const { added, unchanged, refused } of reports) {
    merged.refused += refused
    addAll(merged.added, added)
    addAll(merged.unchanged, unchanged)
  }
  return merged
}

function addAll(into: CountByType, counts: CountByType): void {
  for (const [type, more] of Object.entries(counts)) count(into, type as RecordType, more)
}
