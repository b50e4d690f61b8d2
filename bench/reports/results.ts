import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import pg from 'pg'

/** A limit, and whether it was met. */
export interface Limit {
  what: string
  measured: string
  promised: string
  isHeld: boolean
}

export interface Table {
  title: string
  /** What a reader needs to know to judge it. */
  note?: string
  columns: string[]
  rows: string[][]
}

export interface Report {
  scenario: string
  limits: Limit[]
  tables: Table[]
}

const FILE = new URL('../RESULTS.md', import.meta.url)
const INTRODUCTION = `# Results

Written by \`npm run bench\`. Each scenario has a section; a run replaces its own and leaves the others. The load generator, the
servers and PostgreSQL share the machine, so compare ratios, not figures.
`

/** Writes the report to its section of RESULTS.md, and returns it as text. */
export async function writeReport(report: Report, databaseUrl: string): Promise<string> {
  const section = `## ${report.scenario}\n\n${await circumstances(databaseUrl)}\n${limitTable(report.limits)}${report.tables.map(toMarkdown).join('')}`
  await rewriteFile((before) => withSection(before, section))
  return section
}

/** Notes in RESULTS.md that a scenario was skipped; the results of an earlier run stay. */
export async function writeSkip(scenario: string, reason: string): Promise<void> {
  await rewriteFile((before) => withSkip(before, scenario, `Skipped on ${timeOfRun()}: ${reason}.`))
}

async function rewriteFile(rewrite: (before: string) => string): Promise<void> {
  await writeFile(FILE, rewrite(await readFile(FILE, 'utf8').catch(() => '')))
}

/** The file with this section, replacing its earlier version. */
export function withSection(before: string, section: string): string {
  const title = section.split('\n', 1)[0]
  const others = sectionsOf(before).filter((part) => part.split('\n', 1)[0] !== title)
  const sections = [...others, section]
    .map((part) => part.trim())
    .sort((a, b) => titleOf(a).localeCompare(titleOf(b), 'en', { numeric: true }))
  return `${[INTRODUCTION.trim(), ...sections].join('\n\n')}\n`
}

/** The file with one line below the scenario's title: the latest of several skips is kept, and a measurement removes it. */
export function withSkip(before: string, scenario: string, line: string): string {
  const title = `## ${scenario}`
  const measured = sectionsOf(before).find((part) => part.startsWith(`${title}\n`)) ?? title
  const rest = measured.slice(title.length).replace(/^\n*Skipped on [^\n]*/, '')
  return withSection(before, `${title}\n\n${line}\n\n${rest.trim()}`)
}

function sectionsOf(file: string): string[] {
  return file.split(/^(?=## )/m).filter((part) => part.startsWith('## '))
}

function timeOfRun(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function titleOf(section: string): string {
  return section.split('\n', 1)[0]?.replaceAll(',', '') ?? ''
}

/** The machine, the versions and the database settings that affect the figures. */
async function circumstances(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const settings = ['server_version', 'shared_buffers', 'fsync', 'synchronous_commit', 'wal_level', 'max_wal_size']
  const found = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [settings],
  )
  await client.end()
  const [version, ...others] = found.rows.map(({ name, value }) =>
    name === 'server_version' ? value : `${name} ${value}`,
  )
  return [
    `Run on ${timeOfRun()}`,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
    `Node ${process.versions.node}, PostgreSQL ${version} (${others.join(', ')}).`,
  ].join(' · ')
}

function limitTable(limits: Limit[]): string {
  return toMarkdown({
    title: 'Promised',
    columns: ['what', 'measured', 'promised', ''],
    rows: limits.map(({ what, measured, promised, isHeld }) => [
      what,
      measured,
      promised,
      isHeld ? 'held' : '**missed**',
    ]),
  })
}

function toMarkdown({ title, note, columns, rows }: Table): string {
  const lines = [columns, columns.map((_, index) => (index === 0 ? '---' : '--:')), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return `\n### ${title}\n\n${note === undefined ? '' : `${note}\n\n`}${lines.join('\n')}\n`
}
