import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { reviewRoutes } from '#server/rest/review.ts'

export interface RestOptions {
  findContext: (request: FastifyRequest) => Promise<Ctx>
  /** Holds every answer against its schema: for tests and development; it costs two fifths of the throughput. */
  checksAnswers: boolean
}

/** The public interface, below /api. */
export async function restRoutes(app: FastifyInstance, { findContext, checksAnswers }: RestOptions): Promise<void> {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(checksAnswers ? serializerCompiler : () => JSON.stringify)

  // Clients that always set the JSON type send no body with it too.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    app.getDefaultJsonParser('error', 'error')(_request, body.toString(), done)
  })

  app.decorateRequest('ctx')
  app.addHook('onRequest', async (request) => {
    request.ctx = await findContext(request)
    if (request.ctx.actor.kind === 'nobody') throw new DomainError('UNAUTHORIZED')
  })

  await app.register(reviewRoutes)
}
