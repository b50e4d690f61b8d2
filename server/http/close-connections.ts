import type { FastifyInstance } from 'fastify'

const LOOK_EVERY_MS = 50
const LONGEST_ANSWER_MS = 4_000

/**
 * On a stop, a connection ends with the answer that runs on it: kept alive it would hold the stop up for over a minute. What has
 * not answered after four seconds is cut off.
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
