import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { previewable } from '../../prisma/migrate.ts'
import {
  type MigrationPreview,
  type Preview,
  previewMigrations,
  type StepPreview,
} from '../../prisma/preview-migrations.ts'

/** `migrate`: migrations are applied before every command. */
export async function migrated(): Promise<Outcome> {
  return { json: { migrated: true }, text: 'The database is up to date.' }
}

/** `migrate --check`: says what the pending migrations would do; `limitMs` is for tests on slow machines. */
export async function migrateCheck({ asOwner }: CommandContext, options: { limitMs?: number } = {}): Promise<Outcome> {
  return asOwner(async (owner) => {
    const pending = await previewable(owner)
    if (pending === undefined) return { json: { stopsAll: true }, text: STOPS_ALL }
    if (pending.length === 0) return { json: { migrations: [], tables: [] }, text: 'No migration is pending.' }
    const preview = await previewMigrations(owner, pending, options)
    return { json: { ...preview }, text: textOf(preview), hasFailed: preview.migrations.some(blocks) }
  })
}

const STOPS_ALL =
  'The database is empty or of Docket 0.1: stop all processes, then start this version, which creates or upgrades it.'

/** The trial ends before a second is over. */
function blocks({ problem }: MigrationPreview): boolean {
  return problem !== undefined
}

function textOf({ migrations, tables }: Preview): string {
  const sizes = tables.map(({ table, rows, size }) => `  ${table}: about ${rows} rows, ${size}`)
  const summary = migrations.some(blocks)
    ? 'At least one of them may block others for longer than a second, or fail.'
    : 'All of them can be applied while Docket is in use.'
  return [
    ...migrations.map(migrationText),
    ...(sizes.length > 0 ? ['Tables:', ...sizes] : []),
    `${migrations.length} pending. ${summary} Nothing was changed.`,
  ].join('\n')
}

function migrationText({ name, isConcurrent, steps, heldForMs = 0, problem }: MigrationPreview): string {
  const time = isConcurrent
    ? 'Not tried: takes longer on large tables, while readers and writers go on.'
    : (problem ?? `Holds its locks for ${Math.ceil(heldForMs)} ms.`)
  return [name, ...steps.map(stepText), `  ${time}`, ''].join('\n')
}

function stepText({ text, locks, rewrites }: StepPreview): string {
  const taken = locks.map(({ table, mode, blocks: who }) => `\n    locks ${table} (${mode}): blocks ${who}`)
  const rewritten = rewrites.map((table) => `\n    rewrites ${table}`)
  return `  ${text}${taken.join('')}${rewritten.join('')}`
}
