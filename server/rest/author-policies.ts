import { z } from 'zod'
import { UserId } from '#server/core/wire/schema.ts'
import { endPolicy } from '#server/modules/spaces/author-policies/end-policies.ts'
import { readPolicies } from '#server/modules/spaces/author-policies/read-policies.ts'
import { EndPolicyInput, PoliciesOfAuthor, SetPolicyInput } from '#server/modules/spaces/author-policies/schema.ts'
import { setPolicy } from '#server/modules/spaces/author-policies/set-policy.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const POLICIES = '/api/v1/author-policies'

/** What becomes of what people write: docs/interface/author-policies.md. */
export const authorPolicyRoutes: RestPlugin = async (app) => {
  const response = { 200: PoliciesOfAuthor }

  app.get(
    POLICIES,
    {
      schema: {
        summary: 'List the policies in force for an author',
        querystring: z.object({ userId: UserId }),
        response,
      },
    },
    async ({ ctx, query }) => ({ policies: await readPolicies(ctx, query.userId) }),
  )

  app.post(
    POLICIES,
    { schema: { summary: 'Trust an author, or always hold what they write', body: SetPolicyInput, response } },
    async ({ ctx, body }) => {
      await setPolicy(ctx, body)
      return { policies: await readPolicies(ctx, body.userId) }
    },
  )

  app.delete(
    `${POLICIES}/:policyId`,
    { schema: { summary: 'End an author policy', params: EndPolicyInput, response } },
    async ({ ctx, params }) => {
      const { userId } = await endPolicy(ctx, params)
      return { policies: await readPolicies(ctx, userId) }
    },
  )
}
