import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import pg from 'pg'
import { DatabaseClient } from '#server/core/database/database-client.ts'
import { rowMaker } from '#server/core/database/row-maker.ts'
import { SharedConnections } from '#server/core/database/shared-connections.ts'
import { ANSWERS, type Answer, type Column } from '#server/testing/row-types/answers.ts'
import { typeText } from '#server/testing/row-types/type-text.ts'

/** Of one call. More would take longer, and rarely show another type. */
const ROWS_SEEN = 500
const TYPES_SEEN = 60
const CALLERS_KEPT = 3
/** What each statement runs through. */
const ON_THE_WAY = /server\/core\/(db|tracing|database\/(shared-connections|json-rows|snapshot))\.ts|\.test\.ts|\/with-items\.ts/

const answers = new Map<string, Answer & { rows: number }>()
const callersOf = new Map<string, string[]>()
let isWritten = true
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
      if (callers.length > 0 && answered instanceof Promise) answered.then((it) => record(callers, it), () => {})
      return answered
    }
    Object.assign(prototype, { query: recording })
  }
}

/** A function that reads a part of an answer as rows, with what it makes of them recorded as well. */
export function recordingRows<Given extends unknown[], Row>(read: (...given: Given) => Row[]): (...given: Given) => Row[] {
  return (...given) => {
    const rows = read(...given)
    note(findCallers(), [], rows)
    return rows
  }
}

export function writeAnswers(): void {
  if (isWritten) return
  isWritten = true
  mkdirSync(ANSWERS, { recursive: true })
  writeFileSync(`${ANSWERS}/${process.pid}.json`, JSON.stringify([...answers.values()]))
}

/** All that were recorded by this process so far. */
export function recordedAnswers(): Answer[] {
  return [...answers.values()]
}

function record(callers: string[], result: unknown): void {
  // Several statements in one text have several.
  if (!(result instanceof Object && 'fields' in result && 'rows' in result)) return
  const { fields, rows } = result as pg.QueryArrayResult | pg.QueryResult
  const columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({ name, dataTypeID, tableID, columnID }))
  const toRow = rowMaker(columns.map(({ name }) => name))
  note(
    callers,
    columns,
    rows.slice(0, ROWS_SEEN).map((row: unknown) => (Array.isArray(row) ? toRow(row) : row)),
  )
}

function note(callers: string[], columns: Column[], rows: unknown[]): void {
  const key = JSON.stringify([callers, columns])
  const answer = answers.get(key) ?? { callers, columns, seen: {}, rows: 0 }
  if (!answers.has(key)) {
    answers.set(key, answer)
    isWritten = false
  }
  for (const row of rows) {
    if (answer.rows++ > ROWS_SEEN) break
    for (const [name, value] of Object.entries(row as object)) {
      const seen = (answer.seen[name] ??= [])
      const type = typeText(value)
      if (seen.includes(type) || (seen.length > TYPES_SEEN && type !== 'null')) continue
      seen.push(type)
      isWritten = false
    }
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
  const lines = stack.split('\n').filter((line) => line.includes(process.cwd()) && !line.includes('node_modules'))
  const places = lines
    .filter((line) => !ON_THE_WAY.test(line) && !line.includes(import.meta.filename))
    .flatMap((line) => {
      const [, path, at] = /(?:file:\/\/|[( ])(\/[^():]+):(\d+:\d+)\)?$/.exec(line) ?? []
      return path === undefined ? [] : [{ isAsync: line.includes(' async '), place: `${relative(process.cwd(), path)}:${at}` }]
    })
  // A client that one of these waited for to be sent the statement was not called from there.
  return places[0]?.isAsync === false ? places.slice(0, CALLERS_KEPT).map(({ place }) => place) : []
}
