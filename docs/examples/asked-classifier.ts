// A classifier that Docket asks: add http://localhost:4000/ under Settings, Classifiers, then
// `CLASSIFIER_SECRET=whsec_… node docs/examples/asked-classifier.ts` (WEBHOOK_ALLOW_LOOPBACK=true lets a Docket on the same machine ask it).
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { shoutingIn } from './classifier.ts'

interface Item {
  itemId: string
  data?: { title?: string; text?: string }
}

/** Answers each request with a signal for each of its items. What cannot be trusted is answered 401. */
export function createAskedClassifier(secret: string): Server {
  const webhook = new Webhook(secret)

  return createServer(async (request, response) => {
    try {
      // The signature is over these very bytes: parse them afterwards.
      const body = await readBody(request)
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const { items } = webhook.verify(body, headers) as { items: Item[] }
      const results = items.map(({ itemId, data: { title = '', text = '' } = {} }) => ({
        itemId,
        signals: [{ name: 'shouting', score: shoutingIn(`${title} ${text}`), modelVersion: 'example-1' }],
      }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
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
  const { CLASSIFIER_SECRET = '', PORT = '4000' } = process.env
  createAskedClassifier(CLASSIFIER_SECRET).listen(Number(PORT), '127.0.0.1')
}
