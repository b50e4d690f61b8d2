import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import type { Subject } from '#server/modules/review/schema.ts'

/** Selects the community of an item that the caller reviews; nothing for what they may not know of, or what never waited. */
export function placeOf(ctx: Ctx, { subjectType, subjectId }: Subject): Sql {
  return subjectType === 'comment'
    ? Prisma.sql`
        select c.community_id from comment c
        where c.comment_id = ${subjectId} and c.approval_status is not null
          and ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`c.community_id`)}`
    : Prisma.sql`
        select p.community_id from post p
        where p.post_id = ${subjectId} and p.queued_at is not null
          and ${mayInCommunity(ctx, 'reviewPosts', Prisma.sql`p.community_id`)}`
}
