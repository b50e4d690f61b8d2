import type { Measured } from '../measure/load.ts'
import type { Limit, Table } from './results.ts'
import { FLOOR, REPLAY, type Section } from './section.ts'

export function atLeast(what: string, ratio: number, limit: number): Limit {
  return { what, measured: ratio.toFixed(2), promised: `at least ${limit}`, isHeld: ratio >= limit }
}

export function atMost(what: string, ratio: number, limit: number, unit = ''): Limit {
  return { what, measured: `${ratio.toFixed(2)}${unit}`, promised: `at most ${limit}${unit}`, isHeld: ratio <= limit }
}

/** Docket's throughput, of the server that runs one statement. */
export function ofFloor(section: Section, limit: number): Limit {
  return atLeast(`${title(section)}: throughput, of one statement`, ratioTo(section, FLOOR) ?? Number.NaN, limit)
}

/** CPU time of one request, of server and PostgreSQL together; nothing where it can't be measured. */
export function cpuAtMost(section: Section, limitMs: number): Limit[] {
  const { serverMs, postgresMs } = section.docket.cost ?? {}
  if (serverMs === undefined || postgresMs === undefined) return []
  return [atMost(`${title(section)}: CPU time of a request`, serverMs + postgresMs, limitMs, ' ms')]
}

function ratioTo({ others }: Section, name: string): number | undefined {
  return others.find((other) => other.name === name)?.ratio
}

const title = ({ name, connections }: Section) => `${name}, ${connections} clients`

export const COST_COLUMNS = ['server ms', 'PostgreSQL ms', 'statements', 'beside them']

/** CPU time and statements of one request. */
export function costCells({ cost }: Measured): string[] {
  const text = (figure: number | undefined, digits: number) => figure?.toFixed(digits) ?? ''
  return [text(cost?.serverMs, 2), text(cost?.postgresMs, 2), text(cost?.statements, 1), text(cost?.background, 2)]
}

export function sectionTable(heading: string, sections: Section[]): Table {
  return {
    title: heading,
    note: [
      `“${FLOOR}” is the floor: \`node:http\` and \`pg\` with one prepared statement, written by hand (bench/floors), that reads everything`,
      'the answer needs, without permissions and session, and `JSON.stringify` of the same answer.',
      ...(sections.some((section) => ratioTo(section, REPLAY) !== undefined)
        ? [`“${REPLAY}” replays the recorded statements of our request instead: it flatters, as it pays for them too.`]
        : []),
      'All take turns; medians of five rounds. CPU time and statements are those of one request; “beside them” are statements that run in',
      'batches for many requests, such as the sequencer’s, per request.',
    ].join(' '),
    columns: ['', 'clients', 'requests/s', 'Docket of it', 'p50 ms', 'p99 ms', ...COST_COLUMNS],
    rows: sections.flatMap((section) => [
      row(section, section.name, section.docket),
      ...section.others.map(({ name, measured, ratio }) => row(section, `– ${name}`, measured, ratio)),
    ]),
  }
}

function row({ connections }: Section, name: string, measured: Measured, ratio?: number): string[] {
  return [
    name,
    `${connections}`,
    measured.perSecond.toFixed(0),
    ratio?.toFixed(2) ?? '',
    measured.p50Ms.toFixed(1),
    measured.p99Ms.toFixed(1),
    ...costCells(measured),
  ]
}
