// A classifier: it gets what is written by webhook and sends Docket a score. Add http://localhost:4000/webhooks as an endpoint, create a key
// with `npm run docket -- key create --name "Example classifier" --allow signals`, then
// `WEBHOOK_SECRET=whsec_… DOCKET_KEY=… node docs/examples/classifier.ts`. A rule on the signal `shouting` holds by it.
import type { Server } from 'node:http'
import { createReceiver } from './receiver.ts'

interface Docket {
  /** Where it answers, such as `http://localhost:3000`. */
  url: string
  /** A key that allows `signals`. */
  apiKey: string
}

/** What arrives of a comment or a post. */
interface Written {
  commentId?: string
  postId?: string
  data?: { title?: string; text?: string }
  updatedAt: string
}

const EVENT = /^v3\.(comment|post)\.(didCreate|didReply|didUpdate|didApprove)$/
const LETTERS = /\p{L}/gu
const CAPITALS = /\p{Lu}/gu

/** The model: the share of capitals among the letters, from 0 to 1; 0 for a few letters. Put yours here. */
export function shoutingIn(text: string): number {
  const letters = text.match(LETTERS)?.length ?? 0
  return letters < 10 ? 0 : (text.match(CAPITALS)?.length ?? 0) / letters
}

/** Scores each comment and post that is published or edited. What Docket doesn't accept is answered 500, and arrives again. */
export function createClassifier(secret: string, docket: Docket): Server {
  return createReceiver(secret, async ({ event, data }) => {
    const [, type] = EVENT.exec(event) ?? []
    const [content] = type === undefined ? [] : (data[`${type}s`] as Written[])
    if (content === undefined) return
    const { title = '', text = '' } = content.data ?? {}
    await send(docket, {
      type,
      id: content.commentId ?? content.postId,
      name: 'shouting',
      score: shoutingIn(`${title} ${text}`),
      modelVersion: 'example-1',
      // Of this version of the text: the same event twice is one measurement.
      measuredAt: content.updatedAt,
    })
  })
}

async function send({ url, apiKey }: Docket, signal: object): Promise<void> {
  const response = await fetch(`${url}/api/v1/signals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ signals: [signal] }),
    signal: AbortSignal.timeout(5_000),
  })
  if (!response.ok) throw new Error(`Docket answered ${response.status}`)
}

if (import.meta.main) {
  const { WEBHOOK_SECRET = '', DOCKET_KEY = '', DOCKET_URL = 'http://localhost:3000', PORT = '4000' } = process.env
  createClassifier(WEBHOOK_SECRET, { url: DOCKET_URL, apiKey: DOCKET_KEY }).listen(Number(PORT), '127.0.0.1')
}
