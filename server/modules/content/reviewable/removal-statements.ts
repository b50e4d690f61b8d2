import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { writeStatements } from '#server/modules/network/statements/write-statements.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { policyOfRule } from '#server/modules/rules/judging/review-reasons.ts'

/** The author of content of each type, and the channel of a message, as `made`. */
const AUTHORS = {
  comment: (id: string) => sql`(select user_id, null as channel_id from comment where comment_id = ${id}) made`,
  post: (id: string) =>
    sql`(select posted_user_id as user_id, null as channel_id from post where post_id = ${id}) made`,
  message: (id: string) => sql`(select user_id, channel_id from message where message_id = ${id}) made`,
}

interface Content {
  type: keyof typeof AUTHORS
  subjectId: string
  communityId: string | null
}

/** Writes the statement of reasons for content that rules rejected: the first of them says which policy. */
export async function writeRejectionStatement(ctx: Ctx, content: Content, [first]: FiredRule[]): Promise<void> {
  await writeStatements(ctx, {
    measure: 'rejected',
    ...columnsOf(content),
    ...(first && { policyId: policyOfRule(first) }),
    foundBy: sql`'{rule}'`,
    isAutomated: true,
  })
}

interface Deletion {
  isOwn: boolean
  /** So many reports as its channel allows delete it. */
  isByReports?: boolean
  /** With which it is published, if that comes later. */
  eventId?: string
}

/**
 * Writes the statement of reasons for content that somebody else deletes than its author. A program without a person deletes what it was asked to, by
 * the author or not.
 */
export async function writeDeletionStatement(
  ctx: Ctx,
  content: Content,
  { isOwn, isByReports = false, eventId }: Deletion,
): Promise<void> {
  if (isOwn || (actingUserId(ctx) === undefined && !isByReports)) return
  await writeStatements(ctx, {
    measure: 'deleted',
    ...columnsOf(content),
    ...(eventId !== undefined && { eventId: sql`${eventId}` }),
    foundBy: isByReports ? sql`'{report}'` : sql`'{}'`,
    isAutomated: isByReports,
  })
}

function columnsOf({ type, subjectId, communityId }: Content) {
  return {
    from: AUTHORS[type](subjectId),
    userId: sql`made.user_id`,
    communityId: sql`${communityId}`,
    channelId: sql`made.channel_id`,
    subjectType: sql`${type}`,
    subjectId: sql`${subjectId}`,
  }
}
