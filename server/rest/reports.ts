import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import type { CredentialId } from '#server/modules/accounts/access/find-actor.ts'
import { listReports } from '#server/modules/ledger/audit/list-reports.ts'
import { openReport } from '#server/modules/ledger/audit/open-report.ts'
import { readReport } from '#server/modules/ledger/audit/read-report.ts'
import { ReportFile, ReportLink, ReportsPage, ReportsQuery } from '#server/modules/ledger/audit/schema.ts'

interface ReportOptions {
  key: Buffer
  /** By the id of a credential that a signed link names. */
  findLinkContext: (request: FastifyRequest, credential: CredentialId) => Promise<Ctx>
}

const REPORTS = '/api/v1/reports/moderation-activity'

/** One file a day: docs/interface/reports-and-flags.md#moderation-activity-report. */
export const reportRoutes: FastifyPluginAsyncZod<ReportOptions> = async (app, { key, findLinkContext }) => {
  app.get(REPORTS, { schema: { querystring: ReportsQuery, response: { 200: ReportsPage } } }, ({ ctx, query }) =>
    listReports(ctx, query),
  )

  app.get(
    `${REPORTS}/download`,
    {
      schema: {
        querystring: ReportFile,
        response: { 302: z.undefined().describe('Redirects to the file; the link is valid for one minute') },
      },
      // It adds a row to the audit log.
      config: { readsPrimary: true },
    },
    async ({ ctx, query }, reply) => {
      const { fileId, ...link } = await openReport(ctx, key, query)
      return reply.redirect(`${REPORTS}/files/${fileId}?${new URLSearchParams(link)}`)
    },
  )

  // The redirected request carries no token: the link names the one that asked for it.
  app.get(
    `${REPORTS}/files/:fileId`,
    {
      schema: { hide: true, params: ReportLink.pick({ fileId: true }), querystring: ReportLink.omit({ fileId: true }) },
      config: { isOpen: true },
    },
    async (request, reply) => {
      const link = { ...request.params, ...request.query }
      const file = await readReport((credential) => findLinkContext(request, credential), key, link)
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${file.fileName}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(file.pieces))
    },
  )
}
