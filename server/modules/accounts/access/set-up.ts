import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import type { SetUpInput } from '#server/modules/accounts/access/schema.ts'

/** Held while the first account is created: of two people with a link, one becomes the admin. */
const SET_UP_LOCK = 72_707_371

/** A one-time link's secret, while there is no staff account; undefined afterwards. Each process has its own. */
export async function createSetupLink(ctx: Ctx): Promise<string | undefined> {
  const token = newSecret('setup')
  const made = await execute(
    ctx,
    sql`
    insert into setup_link (digest, created_at) select ${digestOf(token)}, ${ctx.now()}
    where not exists (select from staff_account)`,
  )
  return made > 0 ? token : undefined
}

/** Creates the first admin and ends every set-up link. Fails with NOT_FOUND where the link is wrong or has been used. */
export function setUp(ctx: Ctx, input: SetUpInput): Promise<{ email: string }> {
  return inTransaction(ctx, async (ctx) => {
    await execute(ctx, sql`select pg_advisory_xact_lock(${SET_UP_LOCK}::bigint)`)
    const link = await queryOne(
      ctx,
      sql`
      select true as valid from setup_link where digest = ${digestOf(input.token)} and not exists (select from staff_account)`,
    )
    if (link === undefined) throw new DomainError('NOT_FOUND')

    await createStaff(ctx, { email: input.email, name: input.name, roleId: 'global-admin', password: input.password })
    await execute(ctx, sql`delete from setup_link`)
    return { email: input.email.trim().toLowerCase() }
  })
}
