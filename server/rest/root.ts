import {
  errorCodes,
  type FastifyInstance,
  type FastifyRequest,
  type RouteHandlerMethod,
  type RouteOptions,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { readAnywhere, readOnPrimary } from '#server/core/replicas/read-anywhere.ts'
import type { CredentialId } from '#server/modules/accounts/access/find-actor.ts'
import type { StatementLinks } from '#server/modules/network/statements/statement-link.ts'
import { answerWrites } from '#server/rest/answer-writes.ts'
import { appealRoutes } from '#server/rest/appeals.ts'
import { authorTreatmentRoutes } from '#server/rest/author-treatments.ts'
import { channelsRoutes } from '#server/rest/channels.ts'
import { commentRoutes } from '#server/rest/comments.ts'
import { communitiesRoutes, communityMembersRoutes, communityRolesRoutes } from '#server/rest/communities.ts'
import { exportRoutes } from '#server/rest/exports.ts'
import { joinRequestRoutes } from '#server/rest/join-requests.ts'
import { listRoutes } from '#server/rest/lists.ts'
import { messageRoutes } from '#server/rest/messages.ts'
import { openApiRoutes } from '#server/rest/openapi.ts'
import { postRoutes } from '#server/rest/posts.ts'
import { reportRoutes } from '#server/rest/reports.ts'
import { reviewRoutes } from '#server/rest/review.ts'
import { rolesRoutes } from '#server/rest/roles.ts'
import { searchRoutes } from '#server/rest/search.ts'
import { type SessionOptions, sessionRoutes } from '#server/rest/sessions.ts'
import { settingsRoutes } from '#server/rest/settings.ts'
import { signalRoutes } from '#server/rest/signals.ts'
import { statementRoutes } from '#server/rest/statements.ts'
import { usersRoutes } from '#server/rest/users.ts'

export interface RestOptions {
  /** The context of a request, by its token or key. */
  findContext: (request: FastifyRequest) => Promise<Ctx>
  /** The context of a request of the desk, by its session cookie. */
  findDeskContext: (request: FastifyRequest) => Promise<Ctx>
  /** The context of a request by a signed link, with what the credential that asked for it may do now. */
  findLinkContext: (request: FastifyRequest, credential: CredentialId) => Promise<Ctx>
  sessions: SessionOptions
  /** Signs the links to download reports and exports. */
  reportKey: Buffer
  /** Encrypts the answers stored for idempotent retries. */
  answerKey: Buffer
  statementLinks: StatementLinks
  /** Validates every answer against its schema: for tests and development; it costs two fifths of the throughput. */
  checksAnswers: boolean
}

const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-server-key']

/** The public interface, below /api. */
export async function restRoutes(
  app: FastifyInstance,
  {
    findContext,
    findDeskContext,
    findLinkContext,
    sessions,
    reportKey,
    answerKey,
    statementLinks,
    checksAnswers,
  }: RestOptions,
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(checksAnswers ? serializerCompiler : () => JSON.stringify)

  // Some clients send the content type of a form with an empty body.
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']))
  })

  app.decorateRequest('ctx')
  // Nothing is read for those who don't even say who they are.
  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    const isAnonymous = CREDENTIAL_HEADERS.every((name) => headers[name] === undefined)
    if (isAnonymous && !routeOptions.config.isOpen) throw new DomainError('UNAUTHORIZED')
  })
  // Once the body has arrived, however long that takes: what the caller has lost by then counts.
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.isOpen) return
    request.ctx = await findContext(request)
    if (request.ctx.actor.kind === 'nobody') throw new DomainError('UNAUTHORIZED')
  })

  await openApiRoutes(app)
  answerWrites(app, { answerKey })
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' && route.config?.isOpen !== true) route.handler = reading(route)
  })
  await app.register(sessionRoutes, sessions)
  await app.register(reviewRoutes)
  await app.register(communitiesRoutes)
  await app.register(communityMembersRoutes)
  await app.register(communityRolesRoutes)
  await app.register(joinRequestRoutes)
  await app.register(usersRoutes)
  await app.register(authorTreatmentRoutes)
  await app.register(statementRoutes, { links: statementLinks })
  await app.register(appealRoutes, { links: statementLinks })
  await app.register(rolesRoutes)
  await app.register(settingsRoutes)
  await app.register(channelsRoutes)
  await app.register(commentRoutes)
  await app.register(postRoutes)
  await app.register(messageRoutes)
  await app.register(listRoutes)
  await app.register(searchRoutes)
  await app.register(signalRoutes)
  await app.register(reportRoutes, { key: reportKey, findLinkContext })
  await app.register(exportRoutes, { key: reportKey, findDeskContext })
}

function reading({ handler, config }: RouteOptions): RouteHandlerMethod {
  const read = config?.readsPrimary === true ? readOnPrimary : readAnywhere
  return function answer(request, reply) {
    return read(request.ctx, async (ctx) => {
      request.ctx = ctx
      return handler.call(this, request, reply)
    })
  }
}
