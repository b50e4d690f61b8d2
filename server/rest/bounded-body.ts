import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertBoundedJson } from '#server/core/bounded-json.ts'

/**
 * Reads JSON bodies within the bounds of `assertBoundedJson`, and refuses those that would reach a prototype. Clients that always set
 * the JSON type send no body with it too.
 */
export function parseBoundedJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string | Buffer) => {
      const text = body.toString()
      if (text === '') return undefined
      assertBoundedJson(text)
      return await new Promise((resolve, reject) => {
        parse(request, text, (error, parsed) => (error ? reject(error) : resolve(parsed)))
      })
    },
  )
}
