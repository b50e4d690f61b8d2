import type { FastifyInstance } from 'fastify'

const LOOK_EVERY_MS = 50
const LONGEST_ANSWER_MS = 4_000

/**
 * On shutdown, a connection closes after its current answer: keep-alive would delay the stop by over a minute. Requests unanswered after
 * four seconds are cut off.
 */
export function closeConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const looking = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS)
    const cutting = setTimeout(() => app.server.closeAllConnections(), LONGEST_ANSWER_MS)
    app.server.once('close', () => {
      clearInterval(looking)
      clearTimeout(cutting)
    })
  })
}
