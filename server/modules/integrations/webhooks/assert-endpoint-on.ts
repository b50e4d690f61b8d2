import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/** An endpoint that is off receives nothing: it must be switched on first. Fails with NOT_FOUND, and with CHANGED for one that is off. */
export async function assertEndpointOn(ctx: Ctx, endpointId: string): Promise<void> {
  const endpoint = await queryOne<{ isOn: boolean }>(
    ctx,
    sql`
    select disabled_at is null as is_on from webhook_endpoint where endpoint_id = ${endpointId} and removed_at is null for share`,
  )
  if (endpoint === undefined) throw new DomainError('NOT_FOUND')
  if (!endpoint.isOn) throw new DomainError('CHANGED')
}
