import { connect, createServer, type Socket } from 'node:net'

/**
 * When a connection is cut: when a client sends something with these bytes, before the server receives it or after the server has
 * responded.
 */
export interface Trap {
  sent: string
  reaches: boolean
}

/** A proxy to the database whose connections can be cut and restored; with a trap it cuts the next connection that matches. */
export async function severableProxy(target: URL) {
  const sockets = new Set<Socket>()
  let trap: Trap | undefined
  const listen = () => {
    const server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => sockets.delete(one))
      }
      const cutBoth = () => {
        near.destroy()
        far.destroy()
      }
      far.pipe(near)
      near.on('end', () => far.end())
      near.on('data', (sent) => {
        if (trap !== undefined && sent.includes(trap.sent)) {
          const { reaches } = trap
          trap = undefined
          if (!reaches) return cutBoth()
          far.unpipe(near)
          far.once('data', cutBoth).resume()
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
    set: (next: Trap) => {
      trap = next
    },
    /** Whether no connection has matched the trap yet. */
    isSet: () => trap !== undefined,
  }
}
