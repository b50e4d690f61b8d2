import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import pg from 'pg'
import { DatabaseClient } from '#server/core/database/database-client.ts'
import { rowMaker } from '#server/core/database/row-maker.ts'
import { SharedConnections } from '#server/core/database/shared-connections.ts'
import { ANSWERS, type Answer } from '#server/testing/row-types/answers.ts'
import { typeText } from '#server/testing/row-types/type-text.ts'

/** Of each answer. More would take longer, and rarely show another type. */
const ROWS_SEEN = 100
/** Of each field. */
const TYPES_SEEN = 60
const CALLERS_KEPT = 3
/** What each statement runs through, and tests. */
const ON_THE_WAY =
  /server\/core\/(db|tracing|replicas\/session|database\/(shared-connections|json-rows))\.ts|\.test\.ts|\/(with-items|record-answers)\.ts/

type Source = Omit<Answer, 'seen'>
/** What the types of node-postgres leave out. */
type Result = (pg.QueryArrayResult | pg.QueryResult) & { rowAsArray: boolean }

const answers = new Map<string, Source & { seen: Map<string, Set<string>> }>()
const callersOf = new Map<string, string[]>()
let isRecording = false

/** Records what all clients of this process get as answers, once. */
export function recordAnswers(): void {
  if (isRecording) return
  isRecording = true
  for (const { prototype } of [pg.Pool, pg.Client, DatabaseClient, SharedConnections] as { prototype: object }[]) {
    const send: (...sent: unknown[]) => unknown = Reflect.get(prototype, 'query')
    const recording = function (this: unknown, ...sent: unknown[]): unknown {
      const callers = findCallers()
      const answered = Reflect.apply(send, this, sent)
      // Its sender looks after its failure.
      if (callers.length > 0 && answered instanceof Promise)
        answered.then((result) => noteResult(callers, result)).catch(() => {})
      return answered
    }
    Object.assign(prototype, { query: recording })
  }
}

/** A function that reads a part of an answer as rows, with what it makes of them recorded as well. */
export function recordingRows<Given extends unknown[], Row>(
  read: (...given: Given) => Row[],
): (...given: Given) => Row[] {
  return (...given) => {
    const rows = read(...given)
    note({ callers: findCallers(), columns: [], isRaw: false }, rows.slice(0, ROWS_SEEN))
    return rows
  }
}

/** All of this process so far. */
export function recordedAnswers(): Answer[] {
  return [...answers.values()].map(({ seen, ...answer }) => ({
    ...answer,
    seen: Object.fromEntries([...seen].map(([name, types]) => [name, [...types]])),
  }))
}

export function writeAnswers(): void {
  mkdirSync(ANSWERS, { recursive: true })
  writeFileSync(`${ANSWERS}/${process.pid}.json`, JSON.stringify(recordedAnswers()))
}

function noteResult(callers: string[], { fields, rows, rowAsArray: isRow }: Result): void {
  const columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({ name, dataTypeID, tableID, columnID }))
  const toRow = rowMaker(columns.map(({ name }) => name))
  const read = rows.slice(0, ROWS_SEEN).map((row: unknown) => (Array.isArray(row) ? toRow(row) : row))
  note({ callers, columns, isRaw: !isRow }, read)
}

function note(from: Source, rows: unknown[]): void {
  const key = JSON.stringify(from)
  const { seen } = answers.get(key) ?? { seen: new Map() }
  answers.set(key, { ...from, seen })
  for (const [name, value] of rows.flatMap((row) => Object.entries(row as object))) {
    const [types, type] = [seen.get(name) ?? new Set(), typeText(value)]
    if (types.size < TYPES_SEEN || type === 'null') seen.set(name, types.add(type))
  }
}

/** The program's own functions that are running, the innermost first. Mapping places to the source takes long, and is done once for each stack. */
function findCallers(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = 25
  Error.prepareStackTrace = (_, sites) =>
    sites.map((site) => `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`).join()
  const key = new Error().stack ?? ''
  Error.prepareStackTrace = prepareStackTrace
  const callers = callersOf.get(key) ?? parseStack(new Error().stack ?? '')
  Error.stackTraceLimit = stackTraceLimit
  callersOf.set(key, callers)
  return callers
}

function parseStack(stack: string): string[] {
  const places = stack.split('\n').flatMap((line) => {
    const [, path, at] = /(?:file:\/\/|[( ])(\/[^():]+):(\d+:\d+)\)?$/.exec(line) ?? []
    const place = path && `${relative(process.cwd(), path)}:${at}`
    const isOwn = place !== undefined && !/^\.\.|node_modules/.test(place) && !ON_THE_WAY.test(place)
    return isOwn ? [{ isAsync: line.includes(' async '), place }] : []
  })
  // A client that one of these waited for to be sent the statement was not called from there.
  return places[0]?.isAsync === false ? places.slice(0, CALLERS_KEPT).map(({ place }) => place) : []
}
