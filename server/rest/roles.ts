import { listRoles } from '#server/modules/accounts/roles/list-roles.ts'
import { RolesAnswer, RolesQuery } from '#server/modules/accounts/roles/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

export const rolesRoutes: RestPlugin = async (app) => {
  app.get('/api/v3/roles', { schema: { querystring: RolesQuery, response: { 200: RolesAnswer } } }, ({ ctx, query }) =>
    listRoles(ctx, query),
  )
}
