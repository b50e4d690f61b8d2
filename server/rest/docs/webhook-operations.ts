import { webhookSchema } from '#server/modules/webhooks/payloads.ts'
import type { Operation, Schema } from '#server/rest/docs/api-document.ts'

interface WebhookOperations {
  webhooks: Record<string, { post: Operation }>
  /** The shapes that they speak of. */
  schemas: Record<string, Schema>
}

const HEADERS = {
  'webhook-id': 'The same on every try, to every endpoint.',
  'webhook-timestamp': 'When this try was made, in seconds since 1970.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several between spaces.',
  'x-amity-signature': 'The base64 of HMAC-SHA256 over the body alone.',
}

/** What is posted to endpoints, as OpenAPI has it: the schemas of docs/events.schema.json, each under the name of its event. */
export function webhookOperations(): WebhookOperations {
  // zod writes the union of bodies this way, each with its title.
  const { anyOf, $defs } = inComponents(webhookSchema()) as {
    anyOf: (Schema & { title: string })[]
    $defs: Record<string, Schema>
  }
  return {
    webhooks: Object.fromEntries(anyOf.map(({ title, ...body }) => [title, { post: operationOf(body) }])),
    schemas: $defs,
  }
}

function operationOf(schema: Schema): Operation {
  return {
    tags: ['webhooks'],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'It has arrived.' },
      default: { description: 'It is sent again, with the same id.' },
    },
  }
}

function inComponents(schema: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
