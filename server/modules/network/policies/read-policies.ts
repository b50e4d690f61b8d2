import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type {
  Policies,
  Policy,
  PolicyChoice,
  PolicyFields,
  PolicyParams,
  PolicyUses,
  PolicyVersion,
} from '#server/modules/network/policies/schema.ts'
import { STARTERS } from '#server/modules/network/policies/starters.ts'

const VERSIONS_SHOWN = 100

/** All policies with their current versions, the oldest first, and what points to each. Needs MANAGE_NETWORK_SETTINGS. */
export async function listPolicies(ctx: Ctx): Promise<Policies> {
  assertManagesPolicies(ctx)
  const policies = (await readPolicies(ctx)).map(toPolicy)
  const added = await query<{ starter: string }>(ctx, sql`select starter from policy where starter is not null`)
  return { policies, hasMoreStarters: added.length < STARTERS.length }
}

/** The titles of all policies, for everybody at the desk. Uses policy_version_pkey. */
export function listPolicyChoices(ctx: Ctx): Promise<PolicyChoice[]> {
  return query(
    ctx,
    sql`
    select p.policy_id, p.is_archived, v.report_reasons,
      (select jsonb_object_agg(language, said -> 'title') from jsonb_each(v.texts) as written(language, said)) as titles
    from policy p join policy_version v on v.policy_id = p.policy_id and v.version = p.version
    order by p.created_at, p.policy_id`,
  )
}

/** The versions of a policy, newest first, at most a hundred. Needs MANAGE_NETWORK_SETTINGS; NOT_FOUND for an unknown policy. Uses policy_version_pkey. */
export async function listPolicyVersions(ctx: Ctx, { policyId }: PolicyParams): Promise<PolicyVersion[]> {
  assertManagesPolicies(ctx)
  const rows = await query<VersionRow>(
    ctx,
    sql`
    select ${VERSION_COLUMNS} from policy_version v left join network_user u on u.user_id = v.created_by
    where v.policy_id = ${policyId} order by v.version desc limit ${VERSIONS_SHOWN}::int`,
  )
  if (rows.length === 0) throw new DomainError('NOT_FOUND')
  return rows.map(({ createdAt, ...row }) => ({ ...toFields(row), ...toVersion({ createdAt, ...row }) }))
}

export function assertManagesPolicies(ctx: Ctx): void {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
}

interface VersionRow {
  version: number
  texts: PolicyFields['texts']
  ground: PolicyFields['ground']
  legalReference: string | null
  url: string | null
  weight: number
  category: PolicyFields['category']
  reportReasons: string[]
  createdAt: Date
  createdBy: string
}

const VERSION_COLUMNS = sql`v.version, v.texts, v.ground, v.legal_reference, v.url, v.weight, v.category, v.report_reasons, v.created_at,
  coalesce(nullif(u.display_name, ''), v.created_by) as created_by`

export interface PolicyRow extends VersionRow, PolicyUses {
  policyId: string
  isArchived: boolean
}

/**
 * Policies with their current versions; `only`: a condition on `policy p`. What points to them is counted in one pass each, by
 * ban_of_policy and mute_of_policy.
 */
export function readPolicies(ctx: Ctx, only: Sql = sql`true`): Promise<PolicyRow[]> {
  return query(
    ctx,
    sql`
    with reasons as (
      select policy_id, count(*)::int as uses from rejection_reason where policy_id is not null and not is_archived group by 1),
    rules as (
      select w.action ->> 'policyId' as policy_id, count(*)::int as uses
      from rule r join rule_version w on w.rule_id = r.rule_id and w.version = r.version
      where not r.is_archived and w.action ? 'policyId' group by 1),
    bans as (select policy_id, count(*)::int as uses from ban where policy_id is not null and lifted_at is null group by 1),
    mutes as (select policy_id, count(*)::int as uses from mute where policy_id is not null and lifted_at is null group by 1)
    select p.policy_id, p.is_archived, ${VERSION_COLUMNS}, coalesce(reasons.uses, 0) as reasons, coalesce(rules.uses, 0) as rules,
      coalesce(bans.uses, 0) as bans, coalesce(mutes.uses, 0) as mutes
    from policy p join policy_version v on v.policy_id = p.policy_id and v.version = p.version
    left join network_user u on u.user_id = v.created_by
    left join reasons on reasons.policy_id = p.policy_id left join rules on rules.policy_id = p.policy_id
    left join bans on bans.policy_id = p.policy_id left join mutes on mutes.policy_id = p.policy_id
    where ${only} order by p.created_at, p.policy_id`,
  )
}

function toPolicy({
  policyId,
  isArchived,
  createdAt,
  createdBy,
  reasons,
  rules,
  bans,
  mutes,
  ...row
}: PolicyRow): Policy {
  return {
    policyId,
    version: row.version,
    isArchived,
    ...toFields(row),
    changedAt: timestampOf(createdAt),
    changedBy: createdBy,
    uses: { reasons, rules, bans, mutes },
  }
}

/** What a version says. */
export function toFields(row: Omit<VersionRow, 'createdAt' | 'createdBy'>): PolicyFields {
  const { texts, ground, legalReference, url, weight, category, reportReasons } = row
  return { texts, ground, weight, category, reportReasons, ...present({ legalReference, url }) }
}

function toVersion({ version, createdAt, createdBy }: Pick<VersionRow, 'version' | 'createdAt' | 'createdBy'>) {
  return { version, createdAt: timestampOf(createdAt), createdBy }
}
