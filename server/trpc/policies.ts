import {
  addStarterPolicies,
  archivePolicy,
  changePolicy,
  createPolicy,
} from '#server/modules/network/policies/change-policies.ts'
import { listPolicies, listPolicyChoices, listPolicyVersions } from '#server/modules/network/policies/read-policies.ts'
import { PolicyAtVersion, PolicyChange, PolicyFields, PolicyParams } from '#server/modules/network/policies/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

/** The network's published rules, to which reasons, rules, bans and mutes point. */
export const policiesRouter = router({
  choices: procedure.query(({ ctx }) => listPolicyChoices(ctx)),
  list: procedure.query(({ ctx }) => listPolicies(ctx)),
  versions: procedure.input(PolicyParams).query(({ ctx, input }) => listPolicyVersions(ctx, input)),
  create: procedure.input(PolicyFields).mutation(({ ctx, input }) => createPolicy(ctx, input)),
  change: procedure.input(PolicyChange).mutation(({ ctx, input }) => changePolicy(ctx, input)),
  archive: procedure.input(PolicyAtVersion).mutation(({ ctx, input }) => archivePolicy(ctx, input)),
  addStarters: procedure.mutation(({ ctx }) => addStarterPolicies(ctx)),
})
