import { connect, createServer, type Socket } from 'node:net'

/**
 * When a connection is cut: when a client sends something with these bytes, before the server receives it or after the server has
 * responded.
 */
export interface Trap {
  sent: string
  reaches: boolean
}

/**
 * A proxy to the database whose connections can be cut and restored, or swallow what is sent on them; with a trap it cuts the next connection that
 * matches.
 */
export async function severableProxy(target: URL) {
  const sockets = new Set<Socket>()
  /** Nothing that is sent on these arrives, not even that they are closed. */
  const swallowed = new WeakSet<Socket>()
  let swallows = false
  let trap: Trap | undefined
  const listen = () => {
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(Number(target.port), target.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        if (swallows) swallowed.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => sockets.delete(one))
      }
      const cutBoth = () => {
        near.destroy()
        far.destroy()
      }
      far.on('data', (sent) => swallowed.has(far) || near.write(sent))
      far.on('end', () => swallowed.has(far) || near.end())
      near.on('close', () => swallowed.has(near) || far.destroy())
      near.on('end', () => swallowed.has(near) || far.end())
      near.on('data', (sent) => {
        if (swallowed.has(near)) return
        if (trap !== undefined && sent.includes(trap.sent)) {
          const { reaches } = trap
          trap = undefined
          if (!reaches) return cutBoth()
          swallowed.add(far)
          far.once('data', cutBoth)
        }
        far.write(sent)
      })
    })
    return { server, ready: new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)) }
  }
  let port = 0
  let current = listen()
  await current.ready
  const address = current.server.address()
  if (typeof address === 'object' && address !== null) port = address.port

  const way = new URL(target)
  way.host = `127.0.0.1:${port}`
  return {
    url: way.href,
    cut: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => current.server.close(resolve))
    },
    mend: async () => {
      current = listen()
      await current.ready
    },
    /** From now on connections are accepted, and nothing arrives on any of them. */
    swallow: () => {
      swallows = true
      for (const socket of sockets) swallowed.add(socket)
    },
    /** New connections work; those that were swallowed stay so. */
    letNewOnesThrough: () => {
      swallows = false
    },
    /** Connections that clients have not closed. */
    open: () => [...sockets].filter((socket) => socket.localPort === port && !socket.readableEnded).length,
    set: (next: Trap) => {
      trap = next
    },
    /** Whether no connection has matched the trap yet. */
    isSet: () => trap !== undefined,
  }
}
