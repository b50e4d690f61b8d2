import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * On shutdown, destroys open streams first; otherwise they would block it forever. A stream that ends cleanly tells its browser not to
 * reconnect; one that breaks off reconnects to the next process.
 */
export function closeStreamsOnShutdown(app: FastifyInstance): void {
  const streams = new Set<Socket>()
  app.addHook('onSend', async (request, reply, payload) => {
    if (!(payload instanceof Response && payload.headers.get('content-type') === 'text/event-stream')) return
    const { socket } = request.raw
    streams.add(socket)
    reply.raw.once('close', () => streams.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of streams) socket.destroy()
  })
}
