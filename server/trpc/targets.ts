import { listClaimTimes, setClaimTime } from '#server/modules/review/claims/claim-times.ts'
import { ClaimTimeInput } from '#server/modules/review/claims/schema.ts'
import { listTargets } from '#server/modules/review/targets/list-targets.ts'
import { readTargetStates } from '#server/modules/review/targets/read-states.ts'
import { NoTargetInput, TargetInput } from '#server/modules/review/targets/schema.ts'
import { removeTarget, setTarget } from '#server/modules/review/targets/set-target.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const targetsRouter = router({
  list: procedure.query(({ ctx }) => listTargets(ctx)),
  states: procedure.query(({ ctx }) => readTargetStates(ctx)),
  set: procedure.input(TargetInput).mutation(({ ctx, input }) => setTarget(ctx, input)),
  claimTimes: procedure.query(({ ctx }) => listClaimTimes(ctx)),
  setClaimTime: procedure.input(ClaimTimeInput).mutation(({ ctx, input }) => setClaimTime(ctx, input)),
  remove: procedure.input(NoTargetInput).mutation(({ ctx, input }) => removeTarget(ctx, input)),
})
