import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertAddress, inLog } from '#server/modules/integrations/webhooks/assert-address.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { newEndpointSecret, sealSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { answerEndpoint } from '#server/modules/integrations/webhooks/list-endpoints.ts'
import { sendUnsignedAgain } from '#server/modules/integrations/webhooks/replay-deliveries.ts'
import {
  ENDPOINTS_LIMIT,
  type Endpoint,
  type EndpointChange,
  type EndpointFields,
  type EndpointInput,
  type EndpointProblem,
  type EndpointWithSecret,
  ROTATION_HOURS,
  type SwitchEndpoint,
} from '#server/modules/integrations/webhooks/schema.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * Adds an endpoint, and returns its secret this once. All of these fail with FORBIDDEN without admin MANAGE_CREDENTIALS; those
 * that change one with NOT_FOUND if it does not exist, CHANGED if it has changed since it was read. INVALID_PARAMETERS for an
 * address that could never be posted to, and for an eleventh endpoint.
 */
export async function addEndpoint(
  ctx: Ctx,
  input: EndpointFields,
  settings: WebhookSettings,
): Promise<EndpointWithSecret> {
  assertMayManageWebhooks(ctx)
  assertAddress(input.url, settings)
  const secret = newEndpointSecret()
  return inTransaction(ctx, async (ctx) => {
    await execute(ctx, sql`lock table webhook_endpoint in share row exclusive mode`)
    const added = await queryOne<{ endpointId: string }>(
      ctx,
      sql`
      insert into webhook_endpoint (url, description, events, secret, created_by, created_at, updated_at)
      select ${input.url}, ${input.description || null}, ${input.events}::text[], ${sealSecret(settings.key, secret)},
        ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${ctx.now()}
      where (select count(*) from webhook_endpoint where removed_at is null) < ${ENDPOINTS_LIMIT}
      returning endpoint_id`,
    )
    if (added === undefined)
      throw new DomainError('INVALID_PARAMETERS', { problem: 'tooMany' satisfies EndpointProblem })
    await logged(ctx, { ...added, act: 'added', after: { ...input } })
    return { endpoint: await answerEndpoint(ctx, added.endpointId), secret }
  })
}

/** Deliveries of earlier events go to the new address too. */
export async function changeEndpoint(ctx: Ctx, input: EndpointChange, settings: WebhookSettings): Promise<Endpoint> {
  assertMayManageWebhooks(ctx)
  assertAddress(input.url, settings)
  const { url, events, description = '' } = input
  return change(ctx, input, {
    act: 'changed',
    set: sql`url = ${url}, description = ${description || null}, events = ${events}::text[]`,
    after: { url, events, description },
  })
}

/** Gives an endpoint a new secret. Both sign for a day, then the new one alone. What the one before could not sign is sent at once. */
export async function rotateSecret(
  ctx: Ctx,
  input: EndpointInput,
  settings: WebhookSettings,
): Promise<EndpointWithSecret> {
  assertMayManageWebhooks(ctx)
  const secret = newEndpointSecret()
  const until = new Date(ctx.now().getTime() + ROTATION_HOURS * 3_600_000)
  return inTransaction(ctx, async (ctx) => {
    const { endpointId } = input
    const sealed = sealSecret(settings.key, secret)
    await setIfUnchanged(ctx, input, sql`previous_secret = secret, previous_until = ${until}, secret = ${sealed}`)
    await logged(ctx, { endpointId, act: 'secretRotated', after: { previousUntil: until.toISOString() } })
    await sendUnsignedAgain(ctx, endpointId)
    return { endpoint: await answerEndpoint(ctx, endpointId), secret }
  })
}

/**
 * Turns an endpoint on or off. While off it receives nothing; its pending deliveries are skipped. Once on again, it receives
 * new events; a replay sends what it missed.
 */
export async function switchEndpoint(ctx: Ctx, { isOn, ...input }: SwitchEndpoint): Promise<Endpoint> {
  assertMayManageWebhooks(ctx)
  return change(ctx, input, {
    act: isOn ? 'switchedOn' : 'switchedOff',
    set: isOn
      ? sql`disabled_at = null, disabled_reason = null, failing_since = null`
      : sql`disabled_at = coalesce(disabled_at, ${ctx.now()}), disabled_reason = coalesce(disabled_reason, 'person')`,
  })
}

/** Deletes its secrets at once, and its deliveries when their retention ends. */
export async function removeEndpoint(ctx: Ctx, input: EndpointInput): Promise<void> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    await setIfUnchanged(
      ctx,
      input,
      sql`removed_at = ${ctx.now()}, secret = '', previous_secret = null, previous_until = null`,
    )
    await logged(ctx, { endpointId: input.endpointId, act: 'removed' })
  })
}

interface Change {
  act: string
  set: Sql
  after?: Record<string, unknown>
}

function change(ctx: Ctx, input: EndpointInput, { act, set: assignments, after }: Change): Promise<Endpoint> {
  return inTransaction(ctx, async (ctx) => {
    await setIfUnchanged(ctx, input, assignments)
    await logged(ctx, { endpointId: input.endpointId, act, ...(after && { after }) })
    return answerEndpoint(ctx, input.endpointId)
  })
}

/** Sets these columns if the version is still the one that the caller saw; fails with NOT_FOUND or CHANGED. */
async function setIfUnchanged(ctx: Ctx, { endpointId, version }: EndpointInput, assignments: Sql): Promise<void> {
  const found = await query(
    ctx,
    sql`select 1 as found from webhook_endpoint where endpoint_id = ${endpointId} and removed_at is null for update`,
  )
  if (found.length === 0) throw new DomainError('NOT_FOUND')
  const changed = await execute(
    ctx,
    sql`
    update webhook_endpoint set ${assignments}, version = version + 1, updated_at = ${ctx.now()}
    where endpoint_id = ${endpointId} and version = ${version}`,
  )
  if (changed === 0) throw new DomainError('CHANGED')
}

/** Never a secret. */
function logged(ctx: Ctx, { endpointId, act, after }: Omit<Change, 'set'> & { endpointId: string }): Promise<void> {
  return recordAudit(ctx, {
    action: `webhook.${act}`,
    subjectType: 'webhook',
    subjectId: endpointId,
    ...(after && { after: inLog(after) }),
  })
}
