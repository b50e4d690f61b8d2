import { connect, createServer, type Socket } from 'node:net'

/** The way to the database, which can be cut and mended. */
export async function severableWay(target: URL) {
  const sockets = new Set<Socket>()
  const listen = () => {
    const server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy())
        one.on('close', () => sockets.delete(one))
      }
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
  }
}
