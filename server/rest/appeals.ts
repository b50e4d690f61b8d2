import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { StatementLinks } from '#server/modules/network/statements/statement-link.ts'
import { appeal } from '#server/modules/review/appeals/appeal.ts'
import { decideAppeal } from '#server/modules/review/appeals/decide-appeal.ts'
import { listAppeals } from '#server/modules/review/appeals/read-appeals.ts'
import {
  AppealDecision,
  AppealInput,
  AppealParams,
  Appeals,
  AppealsQuery,
  DecidedAppeal,
} from '#server/modules/review/appeals/schema.ts'

/** What people say against statements of reasons, and what another person decides: docs/interface/appeals.md. */
export const appealRoutes: FastifyPluginAsyncZod<{ links: StatementLinks }> = async (app, { links }) => {
  app.get(
    '/api/v1/appeals',
    {
      schema: {
        summary: 'List the appeals that the caller may decide on',
        querystring: AppealsQuery,
        response: { 200: Appeals },
      },
    },
    ({ ctx, query }) => listAppeals(ctx, links, query),
  )

  app.post(
    '/api/v1/appeals',
    {
      schema: {
        summary: 'Appeal against a statement of reasons, as its recipient',
        body: AppealInput,
        response: { 200: AppealParams },
      },
    },
    ({ ctx, body }) => appeal(ctx, body),
  )

  app.post(
    '/api/v1/appeals/:appealId/decision',
    {
      schema: {
        summary: 'Decide on an appeal',
        params: AppealParams,
        body: AppealDecision,
        response: { 200: DecidedAppeal },
      },
    },
    ({ ctx, params, body }) => decideAppeal(ctx, { ...params, ...body }),
  )
}
