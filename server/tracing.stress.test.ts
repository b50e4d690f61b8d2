import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { runProgram, untilReady } from '#server/testing/program.ts'

const { database, url: DATABASE_URL, make } = await testDatabase()
const { accessToken } = await createToken(systemCtx(database), { lifetimeMs: 3_600_000 })
const authorization = `Bearer ${accessToken}`

/** What these tests read of a span in OTLP's JSON. */
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

interface Export {
  resourceSpans: { resource: Pick<Span, 'attributes'>; scopeSpans: { spans: Span[] }[] }[]
}

/** A collector that accepts everything. */
async function openCollector() {
  const bodies: string[] = []
  const paths = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    paths.add(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const received = () => bodies.flatMap((body) => (JSON.parse(body) as Export).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    text: () => bodies.join('\n'),
    resource: () => received()[0]?.resource.attributes,
    spans: () => received().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  }
}

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

test('a request and its statements are one trace, a job with its transaction another, and no value of either is in them', async () => {
  const collector = await openCollector()
  const { commentId, communityId } = await make.heldComment({ data: { text: 'a sentence that somebody wrote' } })
  const program = await runProgram({
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'harbour-desk',
    TRUST_PROXY: '1',
  })
  await untilReady(program)
  const [traceId, parentSpanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const answer = await fetch(`${program.url}/api/v3/comments/${commentId}/approve?note=a+private+word`, {
    method: 'POST',
    headers: { authorization, traceparent: `00-${traceId}-${parentSpanId}-01`, 'x-request-id': 'traced-request' },
  })
  expect(answer.status).toBe(200)
  await fetch(`${program.url}/healthz`)
  const jobs = () => collector.spans().filter(({ name }) => name === 'job sequencer')
  await eventually('a job is traced', jobs).not.toEqual([])
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)

  const spans = collector.spans()
  const ofRequest = spans.filter((span) => span.traceId === traceId)
  const [request] = ofRequest.filter(({ kind }) => kind === 2)
  expect(request).toMatchObject({ name: 'POST /api/v3/comments/:commentId/approve', parentSpanId })
  expect(request && attributesOf(request)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v3/comments/:commentId/approve',
    'http.response.status_code': 200,
    'docket.request.id': 'traced-request',
  })
  const statements = ofRequest.filter((span) => span.parentSpanId === request?.spanId)
  expect(statements).not.toEqual([])
  for (const statement of statements)
    expect(attributesOf(statement)).toMatchObject({
      'db.system.name': 'postgresql',
      'docket.statement.name': expect.stringMatching(/^s\d+_/),
    })

  for (const job of jobs()) {
    expect(job.parentSpanId ?? '').toBe('')
    expect(spans.some(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === job.spanId)).toBe(true)
  }
  expect(spans.filter(({ name }) => name.includes('healthz'))).toEqual([])
  expect(collector.resource()).toContainEqual({ key: 'service.name', value: { stringValue: 'harbour-desk' } })
  expect([...collector.paths]).toEqual(['POST /v1/traces'])
  for (const value of [commentId, communityId, accessToken, 'private', 'somebody wrote'])
    expect(collector.text()).not.toContain(value)
})

test('a stranger does not choose the trace, and a 404 is no failure of the server', async () => {
  const collector = await openCollector()
  const program = await runProgram({
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    DOCKET_ROLES: 'api',
  })
  await untilReady(program)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const answer = await fetch(`${program.url}/api/v3/comments/none`, { headers: { authorization, traceparent } })
  expect(answer.status).toBe(404)
  const asked = () => collector.spans().find(({ name }) => name === 'GET /api/v3/comments/:commentId')
  await eventually('the request is traced', asked).toMatchObject({ status: { code: 0 } })
  expect(collector.text()).not.toContain('0af7651916cd43dd8448eb211c80319c')

  await fetch(`${program.url}/api/trpc/preferences.read`)
  const call = () => collector.spans().find(({ name }) => name === 'preferences.read')
  await eventually('the call is traced', call).toMatchObject({ parentSpanId: expect.stringMatching(/^\w{16}$/) })
})

test('an unreachable collector disturbs nothing, and a stop does not wait for it', async () => {
  const program = await runProgram({
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    LOG_LEVEL: 'warn',
  })
  await untilReady(program)
  const answer = await fetch(`${program.url}/api/v3/comments/none`, { headers: { authorization } })
  expect(answer.status).toBe(404)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})
