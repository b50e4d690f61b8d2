import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A stop destroys open streams before all else. They would hold it up for ever; and ended tidily, a stream tells its browser not
 * to come back, where one that breaks off is taken up again with the process that follows.
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
