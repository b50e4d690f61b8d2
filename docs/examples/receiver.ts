// A receiver of Docket's webhooks: `WEBHOOK_SECRET=whsec_… node docs/examples/receiver.ts`, then add http://localhost:4000/webhooks
// as an endpoint (WEBHOOK_ALLOW_LOOPBACK=true lets a Docket on the same machine deliver there).
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

export interface Received {
  /** The same however often it is sent: an id that is known was dealt with. */
  id: string
  event: string
  data: Record<string, unknown>
}

/** Tells each event once. What cannot be trusted is answered 401; what could not be dealt with 500, and is sent again. */
export function createReceiver(secret: string, onEvent: (received: Received) => Promise<void>): Server {
  const webhook = new Webhook(secret)
  // In earnest: a unique index in the database that `onEvent` writes to.
  const known = new Set<string>()

  return createServer(async (request, response) => {
    try {
      // The signature is over these very bytes: parse them afterwards.
      const body = await readBody(request)
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const { event, data } = webhook.verify(body, headers) as Pick<Received, 'event' | 'data'>
      const id = String(headers['webhook-id'])
      if (!known.has(id)) await onEvent({ id, event, data })
      known.add(id)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
    }
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

if (import.meta.main) {
  const receiver = createReceiver(process.env.WEBHOOK_SECRET ?? '', async ({ id, event }) => console.log(id, event))
  receiver.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
}
