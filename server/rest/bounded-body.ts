import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertBoundedJson } from '#server/core/bounded-json.ts'

/**
 * Parses JSON bodies within the limits of `assertBoundedJson`, and rejects those that would reach a prototype. Accepts an empty body, as
 * some clients always set the JSON type.
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
