import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '#server/core/errors.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'
import { IdempotencyKey } from '#server/modules/ledger/idempotency/schema.ts'
import { isWrite } from '#server/rest/answer-writes.ts'
import { type ApiDocument, operationsOf, type Parameter, type Schema } from '#server/rest/docs/api-document.ts'
import { docsRoute } from '#server/rest/docs/docs-route.ts'
import { webhookOperations } from '#server/rest/docs/webhook-operations.ts'

/** The error body (docs/interface/errors.md#error-body). */
const ErrorAnswer = z
  .object({
    status: z.literal('error'),
    code: z.int(),
    message: z.string(),
    /** `detail` names each problem of an invalid request; a conflict names the earlier decision. */
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' })

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this route besides the common ones. */
    alsoFails?: ErrorCode[]
  }
}

/** Reusing a key for another request is invalid on every write, whichever code the route uses for other invalid parameters. */
const WRITES: ErrorCode[] = ['TOO_LARGE', 'IN_PROGRESS', 'INVALID_PARAMETERS']
const ANY_ROUTE: ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED', 'UNEXPECTED', 'UNAVAILABLE']

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Access token of a user, or an admin token.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'API key. Public; embed it in your app.' },
  serverKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-server-key',
    description: 'Server key. Secret; use it only on your backend.',
  },
} as const

const SECURITY_OF: Record<KeyAllows, Record<string, string[]>[]> = {
  sessions: [{ apiKey: [] }],
  roles: [{ apiKey: [] }, { bearer: [] }],
  server: [{ serverKey: [] }],
  signals: [{ apiKey: [] }, { bearer: [] }],
}

/**
 * Describes the interface from the schemas that parse it: OpenAPI 3.1 at `/api/openapi.json`, for people at `/api/docs`. Covers the routes
 * that are registered after it.
 */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  const schemaRegistry = namedSchemas()
  const transform = createJsonSchemaTransform({ schemaRegistry })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docket',
        version: '4.123.1',
        description:
          'REST API for communities and chat. Lists return `paging`. Optional fields without a value are omitted. Times are ISO 8601, UTC. Every write accepts `Idempotency-Key`; a 503 can be retried after `Retry-After`.',
      },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: (document) =>
      transform({ ...document, schema: withFailures({ ...document.route, schema: document.schema ?? {} }) }),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry }),
  })

  let document: ApiDocument | undefined
  // The generator's types cover every OpenAPI version; this document only uses zod's schemas and the settings above.
  const readDocument = () => (document ??= asWritten(app.swagger() as unknown as ApiDocument))
  app.get('/api/openapi.json', { schema: { hide: true }, config: { isOpen: true } }, async () => readDocument())
  await docsRoute(app, readDocument)
}

/**
 * The schemas with a name, as they are when the server is put together: a page that is rendered later brings copies of some, whose names would then be in the
 * document twice.
 */
function namedSchemas() {
  const named = z.registry<z.core.GlobalMeta>()
  named._map = z.globalRegistry._map
  named._idmap = new Map(z.globalRegistry._idmap)
  return named
}

/** Every route can fail in the error envelope, and states the credentials it accepts. */
function withFailures({ schema = {}, config, url, method }: RouteOptions): NonNullable<RouteOptions['schema']> {
  const failures: ErrorCode[] = [
    config?.invalid ?? 'INVALID_PARAMETERS',
    'INVALID_REQUEST',
    ...ANY_ROUTE,
    ...([method].flat().some(isWrite) ? WRITES : []),
    ...(config?.alsoFails ?? []),
  ]
  return {
    tags: [tagOf(url)],
    ...(config?.takesKey && { security: SECURITY_OF[config.takesKey] }),
    ...([method].flat().some(isWrite) && { headers: WriteHeaders }),
    ...schema,
    response: { ...failureResponses(failures), ...(schema.response ?? {}) },
  }
}

/** Parsed where every write is answered (answer-writes.ts), and described here. */
const WriteHeaders = z.object({ 'idempotency-key': IdempotencyKey.optional() })

/** One response per status, described by every error that it covers. */
function failureResponses(failures: ErrorCode[]) {
  const byStatus = Map.groupBy(new Set(failures), (failure) => ERRORS[failure].http)
  const responses = [...byStatus].map(([status, alike]) => {
    const texts = alike.map((failure) => `${ERRORS[failure].wire} ${ERRORS[failure].text}`)
    return [status, { description: texts.join(', or '), content: { 'application/json': { schema: ErrorAnswer } } }]
  })
  return Object.fromEntries(responses)
}

/** `/api/v3/communities/:communityId/users/roles` is about communities. */
function tagOf(url: string): string {
  return url.split('/')[3] ?? 'other'
}

/**
 * Adds what the generator cannot know: objects in a query are written `options[limit]`, lists `roles[]`, all values arrive as text, each
 * error has its code, and webhooks. Unused shapes are left out.
 */
function asWritten(document: ApiDocument): ApiDocument {
  for (const { operation } of operationsOf(document)) {
    operation.parameters = operation.parameters
      ?.map((parameter) => (parameter.in === 'query' ? asSent(parameter) : parameter))
      .sort((one, two) => one.in.localeCompare(two.in))
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status === '200') response.description = 'Done'
    }
  }
  const { webhooks, schemas } = webhookOperations()
  const components = { ...document.components, schemas: { ...schemas, ...document.components.schemas } }
  const whole = { ...document, webhooks, components }
  return { ...whole, components: { ...components, schemas: schemasReached(whole) } }
}

function asSent(parameter: Parameter): Parameter {
  const schema = meantBy(parameter.schema)
  if (schema.type === 'object') return { ...parameter, schema, style: 'deepObject', explode: true }
  if (schema.type === 'array')
    return { ...parameter, schema, name: `${parameter.name}[]`, style: 'form', explode: true }
  return { ...parameter, schema }
}

/** The schema of a value, without those of its text forms in a query. */
function meantBy(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  const variants = (anyOf ?? []).map(meantBy)
  const value = variants.find(({ type }) => ['array', 'boolean', 'number', 'object'].includes(String(type)))
  if (value !== undefined) return { ...value, ...rest, ...(value.type === 'number' && { type: 'integer' }) }
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties).map(([name, inner]) => [name, meantBy(inner)])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function schemasReached({ paths, webhooks, components }: ApiDocument): ApiDocument['components']['schemas'] {
  const reached = new Set<string>()
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (reached.has(name)) continue
      reached.add(name)
      visit(components.schemas[name] ?? {})
    }
  }
  visit([paths, webhooks])
  return Object.fromEntries(Object.entries(components.schemas).filter(([name]) => reached.has(name)))
}
