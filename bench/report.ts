import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import pg from 'pg'
import type { Compared, Measured } from './measure/load.ts'

/** What the command line asks for. */
export interface Options {
  serverUrl: string
  held: number
  messages: number
  people: number
  seconds: number
  minutes: number
  /** The folder of another checkout. */
  against: string | undefined
  say: (line: string) => void
}

export type Scenario = (options: Options) => Promise<Report>

export interface Report {
  scenario: string
  limits: Limit[]
  table: Table
  /** Shown after a run, and not kept in RESULTS.md. */
  details?: Table[]
}

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

export function atLeast(what: string, value: number, limit: number): Limit {
  return { what, measured: value.toFixed(2), promised: `at least ${limit}`, isHeld: value >= limit }
}

export function atMost(what: string, value: number, limit: number, unit = ''): Limit {
  return { what, measured: `${value.toFixed(2)}${unit}`, promised: `at most ${limit}${unit}`, isHeld: value <= limit }
}

export function exactly(what: string, count: number, expected: number): Limit {
  const [measured, promised] = [count, expected].map((each) => each.toLocaleString('en')) as [string, string]
  return { what, measured, promised, isHeld: count === expected }
}

/** What 95 of 100 delays keep. */
export function delaysAtMost(what: string, delays: number[], limitMs: number): Limit {
  return atMost(`${what}, 95 of 100`, delayAt(delays.toSorted(byTime), 0.95), limitMs, ' ms')
}

const byTime = (one: number, other: number) => one - other
const delayAt = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** The rows of a table with a column in milliseconds for each list of delays. */
export function delayRows(columns: number[][], digits = 0): string[][] {
  const sorted = columns.map((delays) => delays.toSorted(byTime))
  return Object.entries({ median: 0.5, '95 of 100': 0.95, '99 of 100': 0.99, slowest: 1 }).map(([what, share]) => [
    what,
    ...sorted.map((delays) => delayAt(delays, share).toFixed(digits)),
  ])
}

export const COST_NOTE =
  'CPU time and statements are those of one request; “beside them” are statements that run in batches for many requests, such as the sequencer’s.'
export const COST_COLUMNS = ['server ms', 'PostgreSQL ms', 'statements', 'beside them']

export function costCells({ cost }: Measured): string[] {
  const text = (figure: number | undefined, digits: number) => figure?.toFixed(digits) ?? ''
  return [text(cost?.serverMs, 2), text(cost?.postgresMs, 2), text(cost?.statements, 1), text(cost?.background, 2)]
}

export interface Named {
  name: string
  compared: Compared
}

/** Times at one connection: of the first, of the other, and their ratio. */
export function timeTable(other: string, measures: Named[]): Pick<Table, 'columns' | 'rows'> {
  return {
    columns: ['', 'p50 ms', 'p95 ms', `p50 ms of ${other}`, 'ratio'],
    rows: measures.map(({ name, compared: { one, other, p50Ratio } }) => [
      name,
      one.p50Ms.toFixed(2),
      one.p95Ms.toFixed(2),
      other.p50Ms.toFixed(2),
      p50Ratio.toFixed(2),
    ]),
  }
}

/** The one that takes the longest, of the other. */
export function slowestAtMost(what: string, measures: Named[], limit: number): Limit {
  const [slowest] = measures.toSorted((one, other) => other.compared.p50Ratio - one.compared.p50Ratio)
  return atMost(`${what} (${slowest?.name})`, slowest?.compared.p50Ratio ?? Number.NaN, limit)
}

const FILE = new URL('RESULTS.md', import.meta.url)
const INTRODUCTION = `# Results

Written by \`npm run bench\`. Each scenario has a section; a run replaces its own and leaves the others. The load generator, the
servers and PostgreSQL share the machine, so compare ratios, not figures.
`

/** Writes the report to its section of RESULTS.md, and returns it as text, with its details. */
export async function writeReport(report: Report, serverUrl: string): Promise<string> {
  const { scenario, limits, table, details = [] } = report
  const section = `## ${scenario}\n\n${await circumstances(serverUrl)}\n${toMarkdown(limitTable(limits))}${toMarkdown(table)}`
  await writeFile(FILE, withSection(await readFile(FILE, 'utf8').catch(() => ''), section))
  return `${section}${details.map(toMarkdown).join('')}`
}

/** The file with this section, replacing its earlier version. */
export function withSection(before: string, section: string): string {
  const titleOf = (part: string) => part.split('\n', 1)[0] ?? ''
  const toSort = (part: string) => titleOf(part).replaceAll(',', '')
  const parts = before.split(/^(?=## )/m).filter((part) => part.startsWith('## '))
  const others = parts.filter((part) => titleOf(part) !== titleOf(section))
  const sections = [...others, section]
    .map((part) => part.trim())
    .sort((one, other) => toSort(one).localeCompare(toSort(other), 'en', { numeric: true }))
  return `${[INTRODUCTION.trim(), ...sections].join('\n\n')}\n`
}

/** The command, the machine, the versions and the database settings that affect the figures. */
async function circumstances(serverUrl: string): Promise<string> {
  const client = new pg.Client(serverUrl)
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
    `\`npm run bench -- ${process.argv.slice(2).join(' ')}\` on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
    `Node ${process.versions.node}, PostgreSQL ${version} (${others.join(', ')}).`,
  ].join(' · ')
}

function limitTable(limits: Limit[]): Table {
  return {
    title: 'Promised',
    columns: ['what', 'measured', 'promised', ''],
    rows: limits.map(({ what, measured, promised, isHeld }) => [
      what,
      measured,
      promised,
      isHeld ? 'held' : '**missed**',
    ]),
  }
}

function toMarkdown({ title, note, columns, rows }: Table): string {
  const lines = [columns, columns.map((_, index) => (index === 0 ? '---' : '--:')), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return `\n### ${title}\n\n${note === undefined ? '' : `${note}\n\n`}${lines.join('\n')}\n`
}
