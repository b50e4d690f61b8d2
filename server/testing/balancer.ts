import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 100

/** A load balancer: sends each request, once, to the next process whose `/readyz` was 200. */
export interface Balancer {
  url: string
  /** The addresses that it knows; one that is not ready gets no requests. */
  targets: Set<string>
  isReady(target: string): boolean
  close(): void
}

export async function openBalancer(): Promise<Balancer> {
  const targets = new Set<string>()
  const ready = new Set<string>()
  const closing = new AbortController()
  let count = 0

  const look = async () => {
    while (!closing.signal.aborted) {
      await Promise.all([...targets].map(lookAt))
      await sleep(LOOK_EVERY_MS)
    }
  }
  const lookAt = async (target: string) => {
    const answer = await fetch(`${target}/readyz`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok && targets.has(target)) ready.add(target)
    else ready.delete(target)
  }

  const server = createServer((incoming, outgoing) => {
    count += 1
    const target = [...ready][count % ready.size]
    if (target === undefined) outgoing.writeHead(502).end('no process is ready')
    else forward(target, incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  void look()
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return {
    url: `http://127.0.0.1:${address.port}`,
    targets,
    isReady: (target) => ready.has(target),
    close: () => {
      closing.abort()
      server.close()
      server.closeAllConnections()
    },
  }
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming
  const onward = request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
    const { connection: _, ...others } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, others)
    answer.pipe(outgoing)
  })
  onward.on('error', (error) =>
    outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(error.message),
  )
  incoming.pipe(onward)
}
