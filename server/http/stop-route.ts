import type { FastifyInstance } from 'fastify'
import { parseBody } from '#server/http/auth/library-request.ts'
import type { Parts } from '#server/http/request-context.ts'
import { StopInput } from '#server/modules/integrations/notifications/schema.ts'
import { stopNotifications } from '#server/modules/integrations/notifications/stop-notifications.ts'

/**
 * The address that mails name in `List-Unsubscribe`. Mail programs post to it, without cookies, to stop the notifications of the mail (RFC 8058); one that opens
 * it gets the page, where looking alone changes nothing.
 */
export async function stopRoute(app: FastifyInstance, { parts }: { parts: Parts }): Promise<void> {
  const { system, notifications } = parts
  const url = '/api/notifications/stop'
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  app.post(url, { config: { invalid: 'INVALID_REQUEST' } }, async (request, reply) => {
    await stopNotifications({ ...system, requestId: request.id }, parseBody(StopInput, request.query), notifications)
    return reply.code(200).type('text/plain').send('Stopped.\n')
  })
  app.get(url, { config: { invalid: 'INVALID_REQUEST' } }, async (request, reply) =>
    reply.redirect(`/stop?${new URLSearchParams(parseBody(StopInput, request.query))}`),
  )
}
