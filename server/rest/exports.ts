import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Ctx } from '#server/core/ctx.ts'
import { readAuditExport } from '#server/modules/ledger/audit/export-audit.ts'
import { AuditLink } from '#server/modules/ledger/audit/schema.ts'
import { readExport } from '#server/modules/people/export-person.ts'
import { ExportLink } from '#server/modules/people/schema.ts'
import { readQueueExport } from '#server/modules/review/export/export-queue.ts'
import { QueueLink } from '#server/modules/review/export/schema.ts'

interface ExportOptions {
  key: Buffer
  /** By the session cookie of the desk. */
  findDeskContext: (request: FastifyRequest) => Promise<Ctx>
}

/** Where the desk's browsers download a person's data, the log and the queue: with the link, and the session of the person who asked for it. */
export const exportRoutes: FastifyPluginAsyncZod<ExportOptions> = async (app, { key, findDeskContext }) => {
  app.get(
    '/api/v1/exports/users',
    { schema: { hide: true, querystring: ExportLink }, config: { isOpen: true } },
    async (request, reply) => {
      const pieces = readExport(await findDeskContext(request), key, request.query)
      const fileName = encodeURIComponent(`${request.query.userId}.json`)
      return asDownload(reply, 'application/json', `filename*=UTF-8''${fileName}`).send(Readable.from(pieces))
    },
  )
  app.get(
    '/api/v1/exports/audit',
    { schema: { hide: true, querystring: AuditLink }, config: { isOpen: true } },
    async (request, reply) => {
      const pieces = readAuditExport(await findDeskContext(request), key, request.query)
      return asDownload(reply, 'text/csv', 'filename="audit.csv"').send(Readable.from(pieces))
    },
  )
  app.get(
    '/api/v1/exports/queue',
    { schema: { hide: true, querystring: QueueLink }, config: { isOpen: true } },
    async (request, reply) => {
      const lines = await readQueueExport(() => findDeskContext(request), key, request.query)
      return asDownload(reply, 'text/csv', 'filename="queue.csv"').send(Readable.from(lines))
    },
  )
}

function asDownload(reply: FastifyReply, type: string, fileName: string): FastifyReply {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; ${fileName}`)
    .header('cache-control', 'no-store')
}
