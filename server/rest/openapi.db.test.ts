import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Paging } from '#server/core/wire/schema.ts'
import { webhookSchema } from '#server/modules/integrations/webhooks/payloads.ts'
import { EVENT_NAMES } from '#server/modules/ledger/events/schema.ts'
import { restRoutes } from '#server/rest/root.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const api = await testApi(database)
// As a page does that is rendered before anybody reads the docs: it brings copies of some schemas with their names.
const paging = z.globalRegistry.get(Paging)
const copy = z.object({ next: z.string() }).meta({ id: 'Paging' })
const { body: document } = await api.call('GET', '/api/openapi.json')
// Other files of this process have the names for themselves again.
z.globalRegistry.remove(copy).add(Paging, paging ?? {})

interface Operation {
  parameters?: { name: string; in: string; style?: string; schema: { type?: string } }[]
  responses: Record<string, { description: string; content: Record<string, { schema: { $ref?: string } }> }>
  security?: Record<string, string[]>[]
}
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const operation = (name: string) => operations.find((one) => one.name === name)?.operation

test('the document has every route of the interface, and nothing else', async () => {
  expect(operations.map(({ name }) => name).sort()).toEqual((await registeredRoutes()).sort())
})

test('every route answers errors in the envelope, and invalid parameters with the code of its endpoint', () => {
  for (const { name, operation } of operations) {
    const ofWrites = name.startsWith('GET') ? [] : ['409', '413', '422']
    for (const status of ['400', '401', '403', '404', '429', '500', '503', ...ofWrites]) {
      expect([name, status, operation.responses[status]?.content['application/json']?.schema]).toEqual([
        name,
        status,
        { $ref: '#/components/schemas/Error' },
      ])
    }
  }
  const queue = operation('GET /api/v3/communities/{communityId}/comments/review-queue')
  expect(queue?.responses).not.toHaveProperty('422')
  expect(operation('POST /api/v3/comments/{commentId}/approve')?.responses).toHaveProperty('422')
})

test('every write accepts an Idempotency-Key of 1 to 255 characters, and no read does', () => {
  for (const { name, operation } of operations) {
    const key = operation.parameters?.find((parameter) => parameter.name === 'idempotency-key')
    const expected = name.startsWith('GET') ? undefined : { in: 'header', schema: { minLength: 1, maxLength: 255 } }
    expect([name, key]).toMatchObject([name, expected])
  }
})

test('a status that covers several errors names them all', () => {
  const descriptionOf = (name: string) => operation(name)?.responses['409']?.description
  expect(descriptionOf('POST /api/v3/comments')).toBe(
    '500000 A request with this Idempotency-Key is still being processed.',
  )
  expect(descriptionOf('POST /api/v3/comments/{commentId}/approve')).toBe(
    '500000 A request with this Idempotency-Key is still being processed., or 400409 The item has changed.',
  )
})

test('every route describes its success answer', () => {
  for (const { name, operation } of operations) {
    const isRedirect = operation.responses['302'] !== undefined
    expect([name, isRedirect || Object.keys(operation.responses['200']?.content ?? {})]).not.toEqual([name, []])
  }
})

test('writes objects and lists of a query as they are sent', () => {
  const queue = operation('GET /api/v3/communities/{communityId}/comments/review-queue')
  expect(queue?.parameters).toContainEqual(
    expect.objectContaining({ name: 'options', in: 'query', style: 'deepObject', explode: true }),
  )
  for (const { name, operation } of operations) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in !== 'query') continue
      expect([name, parameter.name, parameter.name.endsWith('[]')]).toEqual([
        name,
        parameter.name,
        parameter.schema.type === 'array',
      ])
    }
  }
})

test('distinguishes tokens and keys', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.security).toEqual([{ bearer: [] }])
  expect(operation('POST /api/v5/sessions')?.security).toEqual([{ apiKey: [] }])
  expect(operation('POST /api/v4/authentication/token')?.security).toEqual([{ serverKey: [] }])
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'apiKey', 'serverKey'])
})

test('the document has every webhook event, as the published schema has it', () => {
  expect(Object.keys(document.webhooks)).toEqual(EVENT_NAMES)
  const { anyOf, $defs } = Object(webhookSchema())
  for (const { title, ...body } of anyOf) {
    const payload = document.webhooks[title].post.requestBody.content['application/json'].schema
    expect([title, withReferences(payload)]).toEqual([title, body])
  }
  for (const [name, shape] of Object.entries($defs)) {
    expect([name, withReferences(document.components.schemas[name])]).toEqual([name, shape])
  }
})

/** A copy of a schema of the document, with references resolved within it and undescribed fields allowed. */
function withReferences(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema)
      .replaceAll('#/components/schemas/', '#/$defs/')
      .replaceAll(',"additionalProperties":false', ''),
  )
}

test('defines every shape it refers to, and no other', () => {
  const spokenOf = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
  )
  expect(Object.keys(document.components.schemas).sort()).toEqual([...spokenOf].sort())
})

test('the page shows every route, loads nothing, and only runs scripts with its nonce', async () => {
  const answer = await fetch(`${api.url}/api/docs`)
  const [page, policy] = [await answer.text(), answer.headers.get('content-security-policy') ?? '']
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(policy).toMatch(/^default-src 'none'; /)
  expect(policy).not.toMatch(/unsafe|\*/)
  expect(page.match(/<(script|style)\b[^>]*>/g)).toEqual([
    `<style nonce="${nonce}">`,
    `<script type="module" nonce="${nonce}">`,
  ])
  expect(page).not.toMatch(/\b(src|href)="(?!#|data:,|\/api\/openapi\.json)/)
  expect(page).not.toMatch(/ style="| on\w+="|@import|url\(/)
  for (const { name } of operations) {
    const [method, path] = name.split(' ')
    expect(page).toContain(`data-method="${method}" data-path="${path}"`)
  }
  expect((await fetch(`${api.url}/api/docs`)).headers.get('content-security-policy')).not.toBe(policy)
})

/** As the framework registers them, independent of the document's generator. */
async function registeredRoutes(): Promise<string[]> {
  const routes: string[] = []
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat()) {
      if (one !== 'HEAD' && !config?.isOpen) routes.push(`${one} ${url.replace(/:(\w+)/g, '{$1}')}`)
    }
  })
  await app.register(restRoutes, {
    findContext: nobodyCalls,
    findDeskContext: nobodyCalls,
    findLinkContext: nobodyCalls,
    sessions: { tries: { count: oneLeft, countFrom: oneLeft, remember: async () => {} }, isSecureMode: false },
    reportKey: Buffer.alloc(32),
    answerKey: Buffer.alloc(32),
    statementLinks: { linkKey: Buffer.alloc(32), deskUrl: 'https://desk.example' },
    checksAnswers: true,
  })
  await app.ready()
  return routes
}

async function nobodyCalls(): Promise<never> {
  throw new Error('nobody calls')
}

async function oneLeft() {
  return { left: 1, forgive: async () => {} }
}
