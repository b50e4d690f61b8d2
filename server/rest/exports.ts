import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Ctx } from '#server/core/ctx.ts'
import { readAuditExport } from '#server/modules/ledger/audit/export-audit.ts'
import { AuditLink } from '#server/modules/ledger/audit/schema.ts'
import { readExport } from '#server/modules/people/export-person.ts'
import { ExportLink } from '#server/modules/people/schema.ts'

interface ExportOptions {
  key: Buffer
  findContext: (request: FastifyRequest) => Promise<Ctx>
}

/** Where the desk's browsers download a person's data, and the log: the link grants access. */
export const exportRoutes: FastifyPluginAsyncZod<ExportOptions> = async (app, { key, findContext }) => {
  app.get(
    '/api/v1/exports/users',
    { schema: { hide: true, querystring: ExportLink }, config: { isOpen: true } },
    async (request, reply) => {
      const pieces = readExport(await findContext(request), key, request.query)
      return reply
        .type('application/json; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename*=UTF-8''${encodeURIComponent(`${request.query.userId}.json`)}`,
        )
        .header('cache-control', 'no-store')
        .send(Readable.from(pieces))
    },
  )
  app.get(
    '/api/v1/exports/audit',
    { schema: { hide: true, querystring: AuditLink }, config: { isOpen: true } },
    async (request, reply) => {
      const pieces = readAuditExport(await findContext(request), key, request.query)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.csv"')
        .header('cache-control', 'no-store')
        .send(Readable.from(pieces))
    },
  )
}
