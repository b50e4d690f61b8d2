import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface StubItem {
  itemId: string
  type: string
  id: string
  data?: { text?: string }
}

/** How a stub answers a request: a status and a body, or not at all. */
type StubAnswer = { status?: number; body: string } | 'hangs'

const scored = (items: StubItem[]) => ({
  body: JSON.stringify({ results: items.map(({ itemId }) => ({ itemId, signals: [{ name: 'stub', score: 0.5 }] })) }),
})

/** A classifier on loopback: it checks every signature, keeps what it was asked, and answers as configured; by default, 0.5 for each item. */
export async function openClassifierStub() {
  const asked: { id: string; items: StubItem[] }[] = []
  let webhook: Webhook | undefined
  let answer: (items: StubItem[]) => StubAnswer | Promise<StubAnswer> = scored

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const items = verified(Buffer.concat(chunks).toString('utf8'), headers)
    if (items === undefined) {
      response.writeHead(401).end()
      return
    }
    asked.push({ id: headers['webhook-id'] ?? '', items })
    const answered = await answer(items)
    if (answered !== 'hangs') response.writeHead(answered.status ?? 200).end(answered.body)
  })
  function verified(body: string, headers: Record<string, string>): StubItem[] | undefined {
    try {
      return (webhook?.verify(body, headers) as { items: StubItem[] }).items
    } catch {
      return undefined
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    trust: (secret: string) => {
      webhook = new Webhook(secret)
    },
    answerWith: (next: typeof answer) => {
      answer = next
    },
    scored,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
