import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Arrival {
  id: string
  event: string
  data: Record<string, unknown>
  body: string
  headers: IncomingHttpHeaders
  at: number
}

/** How a receiver responds: with success, or in one of the ways in which receivers fail. */
export type Behaviour = 'well' | 'fails' | 'hangs' | 'cuts' | 'redirects' | 'floods' | 'slams'

/** A third-party server on loopback: it checks every signature, keeps what it accepted, and fails as configured. */
export async function openReceiver() {
  const accepted: Arrival[] = []
  const tried: Arrival[] = []
  const refused: string[] = []
  const secrets: string[] = []
  let connections = 0
  let behaviour: (arrival: Arrival) => Behaviour = () => 'well'

  const server = createServer(async (request, response) => {
    const body = await readBody(request).catch(() => undefined)
    if (body === undefined) return
    const arrival = verify(secrets, body, request.headers)
    if (arrival === undefined) {
      refused.push(body)
      response.writeHead(401).end()
      return
    }
    tried.push(arrival)
    const how = behaviour(arrival)
    if (how === 'well' || how === 'floods') accepted.push(arrival)
    ANSWERS[how](response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    /** What it accepted, in order; the same id twice where it arrived twice. */
    accepted,
    tried,
    refused,
    /** How many it had. */
    connections: () => connections,
    trust: (secret: string) => secrets.push(secret),
    behave: (how: Behaviour | ((arrival: Arrival) => Behaviour)) => {
      behaviour = typeof how === 'function' ? how : () => how
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const FLOOD_BYTES = 10_000_000

const ANSWERS: Record<Behaviour, (response: ServerResponse) => void> = {
  well: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  fails: (response) => response.writeHead(500).end('out of order'),
  hangs: () => {},
  cuts: (response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('only a part', () => response.destroy())
  },
  redirects: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
  floods: (response) => response.writeHead(200).end(Buffer.alloc(FLOOD_BYTES, 'x')),
  slams: (response) => response.destroy(),
}

/** Undefined unless one of the secrets signed it, in both ways. */
function verify(secrets: string[], body: string, headers: IncomingHttpHeaders): Arrival | undefined {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  for (const secret of secrets) {
    try {
      const { event, data } = new Webhook(secret).verify(body, plain) as Pick<Arrival, 'event' | 'data'>
      return { id: plain['webhook-id'] ?? '', event, data, body, headers, at: Date.now() }
    } catch {}
  }
  return undefined
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
