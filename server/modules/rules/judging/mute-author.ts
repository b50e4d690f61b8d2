import type { Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, sql } from '#server/core/db.ts'
import { rankOf } from '#server/core/permissions.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { type Judgement, type MutingRule, rulesOf } from '#server/modules/rules/judging/judge-content.ts'
import { policyOfRule } from '#server/modules/rules/judging/review-reasons.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import { muteStatements } from '#server/modules/spaces/sanctions/mute-statements.ts'
import { isReviewer } from '#server/modules/spaces/sanctions/sanction-failures.ts'

interface Judged {
  kind: string
  subjectId: string
  communityId: string | null
  authorId: string
  /** By a late score: what muted its author once doesn't again, as somebody may have ended that mute. */
  isLate?: boolean
}

type JudgedIn = Judged & { communityId: string }

const MINUTE_MS = 60_000

/**
 * Mutes the author of content in its community, as live rules that fired on it say, in the transaction that changes it. The longest of their
 * terms counts, and a mute that ends later stays as it is. Nobody who reviews content anywhere is muted, nor who ranks as moderators there do.
 */
export async function muteAuthor(ctx: Ctx, judged: Judged, { muting }: Judgement): Promise<void> {
  const [first, ...others] = muting
  const { communityId } = judged
  if (first === undefined || communityId === null) return
  const rule = others.reduce((longest, one) => (one.muteMinutes > longest.muteMinutes ? one : longest), first)
  await mute(asRules(ctx), { ...judged, communityId }, rule)
}

async function mute(ctx: Ctx, judged: JudgedIn, rule: MutingRule): Promise<void> {
  const { kind, subjectId, communityId, authorId } = judged
  if (!(await lockMutable(ctx, judged))) return
  const endsAt = new Date(ctx.now().getTime() + rule.muteMinutes * MINUTE_MS)
  const muted = await queryOne<{ before: Date | null }>(
    ctx,
    sql`
    with before as (
      select mute_timeout from community_user where community_id = ${communityId} and user_id = ${authorId}),
    changed as (
      update community_user cu set mute_timeout = ${endsAt}, updated_at = ${ctx.now()}
      where cu.community_id = ${communityId} and cu.user_id = ${authorId} and coalesce(cu.mute_timeout, '-infinity') < ${endsAt}
      returning cu.user_id),
    closed as (
      update mute set lifted_at = ${ctx.now()}, lifted_by = ${rule.ruleId}
      from changed
      where mute.community_id = ${communityId} and mute.user_id = changed.user_id and mute.lifted_at is null)
    select before.mute_timeout as before from before, changed`,
  )
  if (muted === undefined) return
  await execute(
    ctx,
    sql`
    with muted as (
      insert into mute (community_id, user_id, muted_by, rule_version, subject_type, subject_id, created_at, ends_at)
      values (${communityId}, ${authorId}, ${rule.ruleId}, ${rule.version}, ${kind}::subject_type, ${subjectId}, ${ctx.now()}, ${endsAt})
      returning *),
    ${muteStatements(ctx, { policyId: policyOfRule(rule), isAutomated: true })}
    select`,
  )
  await publishMembers(ctx, communitySpace, {
    spaceId: communityId,
    act: communitySpace.acts.muted,
    userIds: [authorId],
    changes: [
      {
        userId: authorId,
        before: { muteTimeout: muted.before },
        after: { muteTimeout: endsAt, [`${kind}Id`]: subjectId, ...rulesOf([rule]) },
      },
    ],
  })
}

/** Locks them in a statement of its own, as the next one has to see the mute by which the lock was held before. */
async function lockMutable(ctx: Ctx, { kind, subjectId, communityId, authorId, isLate = false }: JudgedIn) {
  const locked = await queryOne(
    ctx,
    sql`
    select 1 as locked from community_user cu join network_user u on u.user_id = cu.user_id
    where cu.community_id = ${communityId} and cu.user_id = ${authorId} and cu.membership = 'member' and not cu.is_deleted
      and not ${isReviewer(ctx)} and ${rankOf(sql`u.user_id`, { communityId })} < role_rank(array[${communitySpace.moderator}])
      and not (${isLate} and exists (
        select from mute m
        where m.user_id = cu.user_id and m.subject_type = ${kind}::subject_type and m.subject_id = ${subjectId}))
    for no key update of cu`,
  )
  return locked !== undefined
}
