import { Agent, request } from 'node:http'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ERRORS } from '#server/core/errors.ts'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import { KEY_ALLOWS } from '#server/modules/accounts/access/schema.ts'
import { type ApiDocument, operationsOf, type Parameter, type Schema } from '#server/rest/docs/api-document.ts'
import { fieldsOf, nameOfShape } from '#server/rest/docs/shapes.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

const CASES = IS_STRESS ? scaled(1_000) : 300

const { database, make } = await testDatabase()
const api = await testApi(database, { RATE_LIMITS: 'off' })
const document: ApiDocument = (await api.call('GET', '/api/openapi.json')).body

const [held, person, member] = await Promise.all([make.heldComment(), make.user(), make.user()])
const [reviewer, post, channel] = await Promise.all([
  make.reviewerOf(held.communityId),
  make.post({ communityId: held.communityId }),
  database.prisma.channel.create({ data: { channelId: 'a-channel', type: 'community' } }),
])
const { apiKey } = await createKey(systemCtx(database), { name: 'any request', allows: [...KEY_ALLOWS] })

type Headers = Record<string, string>

/** A separate token for each request: some of them end their own session. */
const bearerOf = (userId?: string) => async (): Promise<Headers> => ({
  authorization: `Bearer ${await api.tokenOf(userId)}`,
})
const fixed = (headers: Headers) => async () => headers
const caller = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom(bearerOf(), bearerOf(member.userId), bearerOf(reviewer.userId)) },
  { weight: 2, arbitrary: fc.constant(fixed({ 'x-api-key': apiKey, 'x-server-key': apiKey })) },
  fc.constantFrom(fixed({}), fixed({ authorization: 'Bearer wrong' }), fixed({ authorization: 'Basic' })),
)

const knownIds = fc.constantFrom(
  held.commentId,
  held.communityId,
  person.userId,
  post.postId,
  channel.channelId,
  'community-moderator',
  'channel-moderator',
  'global-admin',
)
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    '%',
    "'; --",
    '2026-02-30',
    'null',
    '-1',
    '1e400',
    '9'.repeat(30),
  ),
  fc.integer({ min: 0, max: 1_100 }).map((length) => '漢'.repeat(length)),
)
const anyText = fc.oneof({ weight: 4, arbitrary: knownIds }, oddText)

/** Usually what the schema expects; sometimes anything else. */
function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  const right = fc.oneof(...(schema.anyOf ?? schema.oneOf ?? [resolved(schema)]).map(rightValueFor))
  return fc.oneof({ weight: 20, arbitrary: right }, fc.jsonValue({ maxDepth: 2 }), oddText)
}

function rightValueFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return fc.record(Object.fromEntries(fieldsOf(schema).map((field) => [field.name, valueFor(field.schema)])), {
        requiredKeys: schema.required ?? [],
      })
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), { maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.double())
    default:
      return anyText
  }
}

function resolved(schema: Schema): Schema {
  const name = nameOfShape(schema)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

const oddQuery = fc.stringMatching(/^[a-z0-9%&=[\]+_.]{0,80}$/)

function queryOf(parameters: Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema, style }) =>
      style === 'deepObject'
        ? fieldsOf(schema).map((field) => ({ ...field, name: `${name}[${field.name}]` }))
        : [{ name, schema }],
    )
    .map(({ name, schema }) => fc.tuple(nameLike(name), valueFor(schema)))
  const right = pairs.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...pairs), { maxLength: 6 })
  return fc.oneof(
    {
      weight: 5,
      arbitrary: right.map((chosen) => chosen.map(([name, value]) => `${name}=${encoded(String(value))}`).join('&')),
    },
    oddQuery,
  )
}

function nameLike(name: string): fc.Arbitrary<string> {
  const bare = name.replace('[]', '')
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(encoded(name)) },
    fc.constantFrom(name, bare, `${bare}[0]`, `${bare}[a][b][c]`, `${bare}[__proto__]`, '__proto__[a]', `${bare}[`),
  )
}

function pathOf(path: string, parameters: Parameter[]): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const segment = fc.oneof(
    { weight: 6, arbitrary: anyText.map(encoded) },
    fc.constantFrom('.', '..', '%2e%2e', '%', '%00', '%ED%A0%80', '%2F', '*'),
  )
  return fc
    .tuple(...names.map(() => segment))
    .map((segments) => names.reduce((filled, name, index) => filled.replace(`{${name}}`, segments[index] ?? ''), path))
}

function bodyOf(schema: Schema | undefined): fc.Arbitrary<string | undefined> {
  const right = schema === undefined ? fc.jsonValue() : valueFor(schema)
  return fc.oneof(
    { weight: 8, arbitrary: right.map((value) => JSON.stringify(value)) },
    fc.constantFrom(undefined, '', '{', 'null', '[]', '"text"', '{"__proto__":{"a":1}}', '{"a":1e999}', '\ud800'),
  )
}

const anyRequest = fc.constantFrom(...operationsOf(document)).chain(({ method, path, operation }) => {
  const parameters = operation.parameters ?? []
  return fc.record({
    method: fc.constant(method),
    path: pathOf(path, parameters),
    query: queryOf(parameters),
    body:
      method === 'GET' ? fc.constant(undefined) : bodyOf(operation.requestBody?.content['application/json']?.schema),
    caller,
  })
})

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

test(`any of ${CASES} requests to any route gets an answer in the envelope: never a 500, never none`, async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ query, caller, ...sent }) => {
      const answer = await send({
        ...sent,
        headers: await caller(),
        path: query === '' ? sent.path : `${sent.path}?${query}`,
      })
      seen.add(String(answer.status))
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400) expect(answer.body).toSatisfy(isEnvelope)
    }),
    { numRuns: CASES },
  )
  expect([...seen].sort()).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404', '422']))
})

function isEnvelope(body: string): boolean {
  const { status, code, message, ...rest } = JSON.parse(body)
  const isKnown = Object.values(ERRORS).some(({ wire, text }) => wire === code && text === message)
  return status === 'error' && isKnown && Object.keys(rest).every((key) => key === 'data')
}

interface Sent {
  method: string
  path: string
  headers: Headers
  body: string | undefined
}

/** Unchanged: `fetch` would normalise the path. */
function send({ method, path, headers, body }: Sent): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(`${api.url}/`, {
      method,
      path,
      agent,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
      signal: AbortSignal.timeout(WAIT_LIMIT_MS),
    })
    sending.on('response', async (response) => {
      const chunks: Buffer[] = await response.toArray()
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** A lone surrogate can only be written in a URL as the bytes it would have. */
function encoded(text: string): string {
  return [...text].map((character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join('')
}
