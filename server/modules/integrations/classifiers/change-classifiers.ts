import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { answerClassifier } from '#server/modules/integrations/classifiers/list-classifiers.ts'
import {
  CLASSIFIERS_LIMIT,
  type Classifier,
  type ClassifierChange,
  type ClassifierFields,
  type ClassifierInput,
  type ClassifierWithSecret,
  type SwitchClassifier,
} from '#server/modules/integrations/classifiers/schema.ts'
import { assertAddress, inLog } from '#server/modules/integrations/webhooks/assert-address.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { newEndpointSecret, sealSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import type { EndpointProblem } from '#server/modules/integrations/webhooks/schema.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** The position from which a classifier is asked: about what is written from now on. */
const FROM_NOW_ON = sql`(select coalesce(max(seq), 0) from event)`
const CLOSED = sql`failures = 0, opened_at = null, probe_at = null, probes = 0`

/**
 * Registers a classifier, and returns its secret this once. All of these fail with FORBIDDEN without admin MANAGE_CREDENTIALS; those that
 * change one with NOT_FOUND if it does not exist, CHANGED if it has changed since it was read. NOT_FOUND for an unknown community,
 * INVALID_PARAMETERS for an address that could never be posted to, and for an eleventh classifier.
 */
export async function addClassifier(
  ctx: Ctx,
  input: ClassifierFields,
  settings: WebhookSettings,
): Promise<ClassifierWithSecret> {
  assertMayManageWebhooks(ctx)
  assertAddress(input.url, settings)
  const secret = newEndpointSecret()
  return inTransaction(ctx, async (ctx) => {
    await assertCommunity(ctx, input)
    await execute(ctx, sql`lock table classifier in share row exclusive mode`)
    const added = await queryOne<{ classifierId: string }>(
      ctx,
      sql`
      insert into classifier (name, url, secret, community_id, kinds, deadline_ms, batch_size, read_to, created_by, created_at, updated_at)
      select ${input.name}, ${input.url}, ${sealSecret(settings.key, secret)}, ${input.communityId ?? null},
        ${input.kinds}::subject_type[], ${input.deadlineMs}, ${input.batchSize}, ${FROM_NOW_ON},
        ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${ctx.now()}
      where (select count(*) from classifier where removed_at is null) < ${CLASSIFIERS_LIMIT}
      returning classifier_id`,
    )
    if (added === undefined)
      throw new DomainError('INVALID_PARAMETERS', { problem: 'tooMany' satisfies EndpointProblem })
    await recordAct(ctx, { ...added, act: 'added', after: { ...input } })
    return { classifier: await answerClassifier(ctx, added.classifierId), secret }
  })
}

/** Pending items are asked at the new address; what is no longer in its scope is dropped when its turn comes. */
export async function changeClassifier(
  ctx: Ctx,
  input: ClassifierChange,
  settings: WebhookSettings,
): Promise<Classifier> {
  assertMayManageWebhooks(ctx)
  assertAddress(input.url, settings)
  const { name, url, communityId, kinds, deadlineMs, batchSize } = input
  return change(ctx, input, {
    act: 'changed',
    set: sql`name = ${name}, url = ${url}, community_id = ${communityId ?? null}, kinds = ${kinds}::subject_type[],
      deadline_ms = ${deadlineMs}, batch_size = ${batchSize}, ${CLOSED}`,
    after: { name, url, communityId, kinds, deadlineMs, batchSize },
    assert: (ctx) => assertCommunity(ctx, input),
  })
}

/** While it is off it is asked nothing, also later about what was written then; what is being asked doesn't count any more. */
export async function switchClassifier(ctx: Ctx, { isOn, ...input }: SwitchClassifier): Promise<Classifier> {
  assertMayManageWebhooks(ctx)
  return change(ctx, input, {
    act: isOn ? 'switchedOn' : 'switchedOff',
    set: isOn
      ? sql`read_to = case when disabled_at is null then read_to else ${FROM_NOW_ON} end, disabled_at = null, ${CLOSED}`
      : sql`disabled_at = coalesce(disabled_at, ${ctx.now()})`,
    ...(!isOn && { also: dropItems }),
  })
}

/** The new secret signs alone from the next request on. */
export async function replaceSecret(
  ctx: Ctx,
  input: ClassifierInput,
  settings: WebhookSettings,
): Promise<ClassifierWithSecret> {
  assertMayManageWebhooks(ctx)
  const secret = newEndpointSecret()
  const classifier = await change(ctx, input, {
    act: 'secretRotated',
    // With an open breaker, it is asked with the new secret at once.
    set: sql`secret = ${sealSecret(settings.key, secret)}, probes = 0,
      probe_at = case when opened_at is not null then ${ctx.now()}::timestamptz end`,
  })
  return { classifier, secret }
}

/** Deletes its secret and its queue. The signals that it sent stay. */
export async function removeClassifier(ctx: Ctx, input: ClassifierInput): Promise<void> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    await setIfUnchanged(ctx, input, sql`removed_at = ${ctx.now()}, secret = ''`)
    await dropItems(ctx, input.classifierId)
    await recordAct(ctx, { ...input, act: 'removed' })
  })
}

interface Change {
  act: string
  set: Sql
  after?: Record<string, unknown>
  assert?: (ctx: Ctx) => Promise<void>
  also?: (ctx: Ctx, classifierId: string) => Promise<void>
}

function change(
  ctx: Ctx,
  input: ClassifierInput,
  { act, set: assignments, after, assert, also }: Change,
): Promise<Classifier> {
  return inTransaction(ctx, async (ctx) => {
    await assert?.(ctx)
    await setIfUnchanged(ctx, input, assignments)
    await also?.(ctx, input.classifierId)
    await recordAct(ctx, { classifierId: input.classifierId, act, ...(after && { after }) })
    return answerClassifier(ctx, input.classifierId)
  })
}

/** Sets these columns if the version is still the one that the caller saw; fails with NOT_FOUND or CHANGED. */
async function setIfUnchanged(ctx: Ctx, { classifierId, version }: ClassifierInput, assignments: Sql): Promise<void> {
  const found = await queryOne<{ version: number }>(
    ctx,
    sql`select version from classifier where classifier_id = ${classifierId} and removed_at is null for no key update`,
  )
  if (found === undefined) throw new DomainError('NOT_FOUND')
  if (found.version !== version) throw new DomainError('CHANGED')
  await execute(
    ctx,
    sql`
    update classifier set ${assignments}, version = version + 1, updated_at = ${ctx.now()} where classifier_id = ${classifierId}`,
  )
}

async function assertCommunity(ctx: Ctx, { communityId }: ClassifierFields): Promise<void> {
  if (communityId === undefined) return
  const community = await queryOne(
    ctx,
    sql`select from community where community_id = ${communityId} and not is_deleted`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
}

async function dropItems(ctx: Ctx, classifierId: string): Promise<void> {
  await execute(ctx, sql`delete from classifier_item where classifier_id = ${classifierId}`)
}

/** Never a secret. */
function recordAct(
  ctx: Ctx,
  { classifierId, act, after }: Pick<Change, 'act' | 'after'> & { classifierId: string },
): Promise<void> {
  return recordAudit(ctx, {
    action: `classifier.${act}`,
    subjectType: 'classifier',
    subjectId: classifierId,
    ...(after && { after: inLog(after) }),
  })
}
