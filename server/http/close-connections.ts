import type { FastifyInstance } from 'fastify'

const LOOK_EVERY_MS = 50
const LONGEST_ANSWER_MS = 4_000

/**
 * From the beginning of a stop, a connection closes after its current answer, which says so: a proxy opens its next one elsewhere, and
 * keep-alive would delay the stop by over a minute. Requests unanswered four seconds after the port is closed are cut off.
 */
export function closeConnections(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => {
    const looking = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS)
    const cutting = setTimeout(() => app.server.closeAllConnections(), LONGEST_ANSWER_MS)
    app.server.once('close', () => {
      clearInterval(looking)
      clearTimeout(cutting)
    })
  })
}
