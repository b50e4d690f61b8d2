import { changeRole, deleteRole, makeRole, restoreRole } from '#server/modules/accounts/roles/change-roles.ts'
import { readMatrix } from '#server/modules/accounts/roles/read-matrix.ts'
import { NewRole, RoleChange, RoleInput } from '#server/modules/accounts/roles/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const rolesRouter = router({
  matrix: procedure.query(({ ctx }) => readMatrix(ctx.ctx)),
  make: procedure.input(NewRole).mutation(({ ctx, input }) => makeRole(ctx.ctx, input)),
  change: procedure.input(RoleChange).mutation(({ ctx, input }) => changeRole(ctx.ctx, input)),
  delete: procedure.input(RoleInput).mutation(({ ctx, input }) => deleteRole(ctx.ctx, input)),
  restore: procedure.input(RoleInput).mutation(({ ctx, input }) => restoreRole(ctx.ctx, input)),
})
