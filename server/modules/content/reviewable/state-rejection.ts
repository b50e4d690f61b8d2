import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { writeStatements } from '#server/modules/network/statements/write-statements.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { policyOfRule } from '#server/modules/rules/judging/review-reasons.ts'

/** The authors `made.user_id` of content of each type. */
const AUTHORS = {
  comment: (id: string) => sql`(select user_id from comment where comment_id = ${id}) made`,
  post: (id: string) => sql`(select posted_user_id as user_id from post where post_id = ${id}) made`,
  message: (id: string) => sql`(select user_id from message where message_id = ${id}) made`,
}

interface Rejected {
  type: keyof typeof AUTHORS
  subjectId: string
  communityId: string | null
}

/** Writes the statement of reasons for content that rules rejected: the first of them says which policy. */
export async function stateRejection(
  ctx: Ctx,
  { type, subjectId, communityId }: Rejected,
  [first]: FiredRule[],
): Promise<void> {
  await writeStatements(ctx, {
    measure: 'rejected',
    from: AUTHORS[type](subjectId),
    userId: sql`made.user_id`,
    communityId: sql`${communityId}`,
    subjectType: sql`${type}`,
    subjectId: sql`${subjectId}`,
    ...(first && { policyId: policyOfRule(first) }),
    foundBy: sql`'{rule}'`,
    isAutomated: true,
  })
}
