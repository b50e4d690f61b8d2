import { Subject } from '#server/modules/review/decisions/schema.ts'
import { releaseLease } from '#server/modules/review/leases/release-lease.ts'
import { HeldLease } from '#server/modules/review/leases/schema.ts'
import { renewLease, takeLease } from '#server/modules/review/leases/take-lease.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const leasesRouter = router({
  take: procedure.input(Subject).mutation(({ ctx, input }) => takeLease(ctx, input)),
  renew: procedure.input(HeldLease).mutation(({ ctx, input }) => renewLease(ctx, input)),
  release: procedure.input(HeldLease).mutation(({ ctx, input }) => releaseLease(ctx, input)),
})
