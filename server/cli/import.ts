import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { withProgress } from '#server/cli/with-progress.ts'
import type { ImportError, ImportReport } from '#server/modules/integrations/imports/import-report.ts'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'

interface ImportOptions {
  files: string[]
  strict: boolean
  /** Whether standard error is a terminal. */
  isTerminal: boolean
}

/** `import`: loads files of records; in strict mode it adds nothing if any line is invalid. Fails also if every line is. */
export async function importFiles(
  { ctx }: CommandContext,
  { files, strict, isTerminal }: ImportOptions,
): Promise<Outcome> {
  const report = await withProgress(isTerminal, (onProgress) => loadFiles(ctx, { files, strict, onProgress }))
  const hasFailed = report.refused > 0 && (strict || isEmpty(report))
  return {
    json: { ...report },
    text: hasFailed ? `Nothing was added. ${wordsOfErrors(report)}` : wordsOf(report),
    hasFailed,
  }
}

/** Whether no record of the files was valid: they are not what was meant to be imported. */
function isEmpty({ added, unchanged }: ImportReport): boolean {
  return Object.keys(added).length + Object.keys(unchanged).length === 0
}

function wordsOf(report: ImportReport): string {
  const lines = [`Added: ${wordsOfCounts(report.added)}`, `Unchanged: ${wordsOfCounts(report.unchanged)}`]
  return (report.refused === 0 ? lines : [...lines, wordsOfErrors(report)]).join('\n')
}

function wordsOfCounts(counts: Record<string, number>): string {
  const words = Object.entries(counts).map(([type, count]) => `${type} ${formatted(count)}`)
  return words.length === 0 ? 'nothing' : words.join(', ')
}

const ERRORS_SHOWN = 10

function wordsOfErrors({ refused, errors }: ImportReport): string {
  const shown = errors.slice(0, ERRORS_SHOWN).map(wordsOfError)
  const rest = refused > shown.length ? [`… and ${formatted(refused - shown.length)} more`] : []
  return [`Rejected: ${formatted(refused)}`, ...shown, ...rest].join('\n  ')
}

function wordsOfError({ file, line, reason }: ImportError): string {
  return `${file === undefined ? '' : `${file}, `}line ${line}: ${reason}`
}

function formatted(count: number): string {
  return count.toLocaleString('en')
}
