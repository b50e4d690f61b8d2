import { endPolicy } from '#server/modules/spaces/author-policies/end-policies.ts'
import { readPolicyChoices } from '#server/modules/spaces/author-policies/read-policies.ts'
import { EndPolicyInput, PolicyChoicesInput, SetPolicyInput } from '#server/modules/spaces/author-policies/schema.ts'
import { setPolicy } from '#server/modules/spaces/author-policies/set-policy.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const authorPoliciesRouter = router({
  choices: procedure.input(PolicyChoicesInput).query(({ ctx, input }) => readPolicyChoices(ctx, input)),
  set: procedure.input(SetPolicyInput).mutation(({ ctx, input }) => setPolicy(ctx, input)),
  end: procedure.input(EndPolicyInput).mutation(async ({ ctx, input }) => void (await endPolicy(ctx, input))),
})
