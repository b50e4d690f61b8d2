import { changeRole, deleteRole, makeRole, restoreRole } from '#server/modules/accounts/roles/change-roles.ts'
import { readMatrix } from '#server/modules/accounts/roles/read-matrix.ts'
import { NewRole, RoleChange, RoleInput } from '#server/modules/accounts/roles/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const rolesRouter = router({
  matrix: procedure.query(({ ctx }) => readMatrix(ctx)),
  make: procedure.input(NewRole).mutation(({ ctx, input }) => makeRole(ctx, input)),
  change: procedure.input(RoleChange).mutation(({ ctx, input }) => changeRole(ctx, input)),
  delete: procedure.input(RoleInput).mutation(({ ctx, input }) => deleteRole(ctx, input)),
  restore: procedure.input(RoleInput).mutation(({ ctx, input }) => restoreRole(ctx, input)),
})
