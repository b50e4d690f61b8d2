import { isDeepStrictEqual } from 'node:util'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import {
  assertManagesPolicies,
  listPolicies,
  type PolicyRow,
  readPolicies,
  toFields,
} from '#server/modules/network/policies/read-policies.ts'
import {
  POLICIES_LIMIT,
  type Policies,
  type PolicyAtVersion,
  type PolicyChange,
  type PolicyFields,
} from '#server/modules/network/policies/schema.ts'
import { STARTERS } from '#server/modules/network/policies/starters.ts'

/**
 * Adds a policy. All of these need MANAGE_NETWORK_SETTINGS, and return the policies after the change. Fails with INVALID_PARAMETERS at the limit and for
 * a reason for reports that stands for another policy.
 */
export function createPolicy(ctx: Ctx, fields: PolicyFields): Promise<Policies> {
  return change(ctx, async (ctx, policies) => {
    assertRoomFor(1, policies)
    assertReasonsAreFree(fields, policies)
    return insert(ctx, [{ starter: null, fields }])
  })
}

/**
 * Makes a new version of a policy, which is current from then on; the versions before stay as they are. Fails with NOT_FOUND for one that is unknown or
 * archived, CHANGED if somebody changed it first, INVALID_PARAMETERS for a reason for reports that stands for another policy. A call that changes
 * nothing is neither logged nor published.
 */
export function changePolicy(ctx: Ctx, { policyId, version, ...fields }: PolicyChange): Promise<Policies> {
  return change(ctx, async (ctx, policies) => {
    const before = requireVersion(policies, { policyId, version })
    if (isDeepStrictEqual(toFields(before), fields)) return []
    assertReasonsAreFree(
      fields,
      policies.filter((policy) => policy !== before),
    )
    const next = version + 1
    await insertVersions(ctx, [{ policyId, version: next, fields }])
    await execute(
      ctx,
      sql`update policy set version = ${next}, updated_at = ${ctx.now()} where policy_id = ${policyId}`,
    )
    return [
      {
        action: 'policy.changed',
        subjectId: policyId,
        before: factsOf(before),
        after: factsOf({ ...fields, version: next }),
      },
    ]
  })
}

/** Nobody can choose it from then on; what points to it keeps it. Fails with NOT_FOUND for one that is unknown or archived, CHANGED if somebody changed it first. */
export function archivePolicy(ctx: Ctx, given: PolicyAtVersion): Promise<Policies> {
  return change(ctx, async (ctx, policies) => {
    const before = requireVersion(policies, given)
    await execute(
      ctx,
      sql`update policy set is_archived = true, updated_at = ${ctx.now()} where policy_id = ${before.policyId}`,
    )
    return [{ action: 'policy.archived', subjectId: before.policyId, before: factsOf(before) }]
  })
}

/**
 * Adds those policies of the starter set that were never added: one that was changed or archived since doesn't come back. Reasons for reports that stand
 * for another policy stay with that. Fails with INVALID_PARAMETERS at the limit.
 */
export function addStarterPolicies(ctx: Ctx): Promise<Policies> {
  return change(ctx, async (ctx, policies) => {
    const known = await query<{ starter: string }>(ctx, sql`select starter from policy where starter is not null`)
    const added = STARTERS.filter(({ starter }) => known.every((before) => before.starter !== starter))
    assertRoomFor(added.length, policies)
    const taken = new Set(reasonsOf(policies))
    const isFree = (reason: string) => !taken.has(foldedReason(reason))
    return insert(
      ctx,
      added.map(({ starter, fields }) => ({
        starter,
        fields: { ...fields, reportReasons: fields.reportReasons.filter(isFree) },
      })),
    )
  })
}

interface Change {
  action: `policy.${string}`
  subjectId: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** One change at a time: a reason for reports stands for one policy. Those who choose a policy don't wait for this lock. */
async function change(ctx: Ctx, act: (ctx: Ctx, policies: PolicyRow[]) => Promise<Change[]>): Promise<Policies> {
  assertManagesPolicies(ctx)
  return inTransaction(ctx, async (ctx) => {
    await execute(ctx, sql`lock table policy in share row exclusive mode`)
    const changes = await act(ctx, await readPolicies(ctx))
    await recordAudits(
      ctx,
      changes.map((changed) => ({ subjectType: 'policy', ...changed })),
    )
    if (changes.length > 0) await publish(ctx, changes)
    return listPolicies(ctx)
  })
}

/** Notifies clients, once for a change of several. */
async function publish(ctx: Ctx, [first]: Change[]): Promise<void> {
  if (first === undefined) return
  const subject = { subjectType: 'policy', subjectId: first.subjectId }
  await recordEvent(ctx, { ...subject, name: 'desk.policy.didChange', payload: {}, isDeskOnly: true })
}

function assertRoomFor(added: number, policies: PolicyRow[]): void {
  if (policies.length + added > POLICIES_LIMIT)
    throw new DomainError('INVALID_PARAMETERS', {
      detail: [`policies: there can be at most ${POLICIES_LIMIT}, archived ones included`],
    })
}

function assertReasonsAreFree({ reportReasons }: PolicyFields, others: PolicyRow[]): void {
  const taken = new Set(reasonsOf(others))
  const [first] = reportReasons.filter((reason) => taken.has(foldedReason(reason)))
  if (first !== undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: [`reportReasons: “${first}” belongs to another policy`] })
}

/** Those of archived policies are free. */
function reasonsOf(policies: PolicyRow[]): string[] {
  return policies.flatMap(({ isArchived, reportReasons }) => (isArchived ? [] : reportReasons.map(foldedReason)))
}

const foldedReason = (reason: string) => reason.trim().toLowerCase()

function requireVersion(policies: PolicyRow[], { policyId, version }: PolicyAtVersion): PolicyRow {
  const policy = policies.find((one) => one.policyId === policyId)
  if (policy === undefined || policy.isArchived) throw new DomainError('NOT_FOUND')
  if (policy.version !== version) throw new DomainError('CHANGED')
  return policy
}

/** What the log keeps of a version: the version itself never changes. */
function factsOf({ version, ground, category, weight }: Pick<PolicyRow, 'version' | 'ground' | 'category' | 'weight'>) {
  return { version, ground, category, weight }
}

interface NewPolicy {
  /** Its key in the starter set, if it is one of that. */
  starter: string | null
  fields: PolicyFields
}

async function insert(ctx: Ctx, added: NewPolicy[]): Promise<Change[]> {
  if (added.length === 0) return []
  const now = ctx.now()
  const made = await query<{ policyId: string; position: number }>(
    ctx,
    sql`
    with given as (
      select new_internal_id() as policy_id, starter, position::int
      from unnest(${added.map(({ starter }) => starter)}::text[]) with ordinality as given(starter, position)),
    made as (
      insert into policy (policy_id, starter, created_at, updated_at)
      select policy_id, starter, ${now}, ${now} from given)
    select policy_id, position from given order by position`,
  )
  const versions = made.flatMap(({ policyId, position }) => {
    const policy = added[position - 1]
    return policy ? [{ policyId, version: 1, ...policy }] : []
  })
  await insertVersions(ctx, versions)
  return versions.map(({ policyId, version, starter, fields }) => ({
    action: 'policy.created',
    subjectId: policyId,
    after: { ...factsOf({ ...fields, version }), ...(starter !== null && { starter }) },
  }))
}

interface NewVersion {
  policyId: string
  version: number
  fields: PolicyFields
}

async function insertVersions(ctx: Ctx, versions: NewVersion[]): Promise<void> {
  const rows = versions.map(({ policyId, version, fields }) => ({ policyId, version, ...fields }))
  await execute(
    ctx,
    sql`
    insert into policy_version (policy_id, version, texts, ground, legal_reference, url, weight, category, report_reasons, created_by, created_at)
    select made."policyId", made.version, made.texts, made.ground, made."legalReference", made.url, made.weight, made.category,
      array(select jsonb_array_elements_text(made."reportReasons")), ${actingUserId(ctx) ?? actorName(ctx)}, ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made("policyId" text, version int, texts jsonb, ground text,
      "legalReference" text, url text, weight int, category text, "reportReasons" jsonb)`,
  )
}
