import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { ERRORS, type ErrorCode } from '#server/core/errors.ts'
import { lockOf } from '#server/modules/ledger/idempotency/answer-once.ts'
import { type ApiDocument, type Operation, operationsOf } from '#server/rest/docs/api-document.ts'
import { testApi } from '#server/testing/api.ts'
import { STANDINGS } from '#server/testing/callers.ts'
import { testDatabase } from '#server/testing/database.ts'
import { failureOf, invalidOf, requestOf, withQuery } from '#server/testing/routes/row.ts'
import { happyCall, ROWS } from '#server/testing/routes/rows.ts'
import { sampled } from '#server/testing/scaled.ts'
import { idsOf, makeScenes } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'
import { whenOver } from '#server/testing/when-over.ts'

const { database } = await testDatabase()
const api = await tableApi(database)
const document: ApiDocument = (await api.call('GET', '/api/openapi.json')).body

/** Three callers that always fail: one over the rate limit, one with a bug on our side, and one whose database is unavailable. */
const busy = await testApi(database, { RATE_LIMITS: 'read=1/h,write=1/h,search=1/h' })
const faulty = await testApi(await databaseWithoutCredentials(), { LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
const cutOff = await testApi(databaseAway(), { LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
const anyCredentials = { authorization: 'Bearer any', 'x-api-key': 'any', 'x-server-key': 'any' }

const LARGEST_BODY_BYTES = 1_048_576
const UNDECODABLE = '%E0%A4%A'

test.each(
  sampled(operationsOf(document), 20).map((one) => [`${one.method} ${one.path}`, one] as const),
)('%s answers each error that it lists, with its code and message', async (route, { method, path, operation }) => {
  const { row, caller } = happyCall(route)
  const [scene] = await makeScenes(database, { castings: [STANDINGS[caller]] })
  if (scene === undefined) throw new Error('one casting makes one scene')
  const happy = { ...requestOf(row, scene), headers: api.headersOf(caller, scene) }
  const failed = new Set<ErrorCode>()

  const send = (change: Partial<typeof happy>, at: Pick<typeof api, 'call'> = api) => {
    const sent = { ...happy, ...change }
    return at.call(method, withQuery(sent.path, sent.query), { body: sent.body, headers: sent.headers })
  }
  const provoke = async (failure: ErrorCode, change: Partial<typeof happy>, at?: Pick<typeof api, 'call'>) => {
    const answer = await send(change, at)
    const { http, wire, text } = ERRORS[failure]
    expect({ failure, ...answer }).toMatchObject({
      failure,
      status: http,
      body: { status: 'error', code: wire, message: text },
    })
    failed.add(failure)
    return answer
  }

  await provoke('UNAUTHORIZED', { headers: anyCredentials })
  await provoke(invalidOf(route), { path: `${happy.path}?undecodable=${UNDECODABLE}`, query: {} })
  if (isAboutOne(path)) {
    await provoke('NOT_FOUND', { path: requestOf(row, idsOf(randomUUID(), randomUUID())).path })
    await provoke('INVALID_REQUEST', { path: path.replaceAll(/\{\w+\}/g, UNDECODABLE) })
  }
  if (readsToken(operation)) {
    await provoke('INVALID_REQUEST', { query: { ...happy.query, 'options[token]': 'undecodable' } })
  }
  if (method !== 'GET') {
    await provoke('INVALID_REQUEST', { body: '{' })
    await provoke('TOO_LARGE', { body: JSON.stringify('x'.repeat(LARGEST_BODY_BYTES)) })
  }
  if (operation.responses['409']?.description.includes(ERRORS.CHANGED.text)) {
    await send({})
    await provoke('CHANGED', {})
  }
  if (method !== 'GET') {
    const headers = { ...happy.headers, 'idempotency-key': randomUUID() }
    await holding(lockOf({ actor: await api.actorOf(happy.headers) }, headers['idempotency-key']), () =>
      provoke('IN_PROGRESS', { headers }),
    )
    await provoke('INVALID_PARAMETERS', { headers: { ...headers, 'idempotency-key': '' } })
  }
  await send({ headers: anyCredentials }, busy)
  const { headers } = await provoke('RATE_LIMITED', { headers: anyCredentials }, busy)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  await provoke('UNEXPECTED', { headers: anyCredentials }, faulty)
  await provoke('UNAVAILABLE', { headers: anyCredentials }, cutOff)

  for (const { outcomes } of ROWS.filter((row) => row.route === route)) {
    for (const failure of outcomes.flatMap((outcome) => failureOf(outcome) ?? [])) failed.add(failure)
  }
  const statuses = new Set<number>([...failed].map((failure) => ERRORS[failure].http))
  expect([...statuses].sort()).toEqual(
    listedBy(operation).filter((status) => statuses.has(status) || !isSaidOfAll(status)),
  )
})

/** Errors that every route lists, although not every one can forbid, miss or decode something. */
function isSaidOfAll(status: number): boolean {
  return [400, 403, 404].includes(status)
}

function listedBy({ responses }: Operation): number[] {
  return Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400)
    .sort()
}

function isAboutOne(path: string): boolean {
  return path.includes('{')
}

/** Endpoint 1 accepts a token but does not read it. */
function readsToken({ parameters = [], responses }: Operation): boolean {
  return (
    '422' in responses &&
    parameters.some(({ name, schema }) => name === 'options' && 'token' in (schema.properties ?? {}))
  )
}

/** Runs an act while another connection holds this lock. */
async function holding(lock: string, act: () => Promise<unknown>) {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    await act()
  } finally {
    client.release(true)
  }
}

/** A database in which no credentials can be looked up. */
async function databaseWithoutCredentials() {
  const { database } = await testDatabase()
  await database.pool.query(
    'alter table access_token rename to mislaid_token; alter table api_key rename to mislaid_key',
  )
  return database
}

/** At a port for which no program asks. */
function databaseAway() {
  const database = openDatabase({ url: 'postgresql://127.0.0.1:1/away', connections: 1, onError: () => {} })
  whenOver(() => database.close())
  return database
}
