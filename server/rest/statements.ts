import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { listStatements, readStatement } from '#server/modules/network/statements/read-statements.ts'
import { Statement, StatementParams, Statements, StatementsQuery } from '#server/modules/network/statements/schema.ts'
import type { StatementLinks } from '#server/modules/network/statements/statement-link.ts'

/** Why something was done to people's content or account: docs/interface/statements.md. */
export const statementRoutes: FastifyPluginAsyncZod<{ links: StatementLinks }> = async (app, { links }) => {
  app.get(
    '/api/v1/statements',
    {
      schema: {
        summary: 'List the statements of reasons issued to a person',
        querystring: StatementsQuery,
        response: { 200: Statements },
      },
    },
    ({ ctx, query }) => listStatements(ctx, links, query),
  )

  app.get(
    '/api/v1/statements/:statementId',
    {
      schema: { summary: 'Read a statement of reasons', params: StatementParams, response: { 200: Statement } },
    },
    ({ ctx, params }) => readStatement(ctx, links, params),
  )
}
