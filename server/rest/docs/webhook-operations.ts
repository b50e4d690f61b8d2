import { webhookSchema } from '#server/modules/integrations/webhooks/payloads.ts'
import type { Operation, Schema } from '#server/rest/docs/api-document.ts'

interface WebhookOperations {
  webhooks: Record<string, { post: Operation }>
  /** The shapes that they refer to. */
  schemas: Record<string, Schema>
}

const HEADERS = {
  'webhook-id': 'ID of the event. The same on every attempt and for every endpoint.',
  'webhook-timestamp': 'Time of this attempt, in seconds since 1970.',
  'webhook-signature':
    'Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`. Several signatures are separated by spaces.',
  'x-amity-signature': 'Base64 HMAC-SHA256 of the body.',
}

/** The webhook payloads as OpenAPI: the schemas of docs/events.schema.json, each under the name of its event. */
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
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Delivered.' },
      default: { description: 'Not delivered; Docket retries with the same ID.' },
    },
  }
}

function inComponents(schema: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
