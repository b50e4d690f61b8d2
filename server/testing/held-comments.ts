import type { Database } from '#server/core/database/open-database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { withItems } from '#server/testing/with-items.ts'

/** Creates many pending comments of one community with few statements; their ids begin with `held-`. */
export async function createHeldComments(
  database: Database,
  count: number,
): Promise<{ communityId: string; commentIds: string[] }> {
  const make = factoriesOf(database)
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const commentIds = Array.from({ length: count }, (_, index) => `held-${index}`)
  await withItems(database).prisma.comment.createMany({
    data: commentIds.map((commentId) => ({
      commentId,
      userId,
      communityId,
      targetType: 'community' as const,
      approvalStatus: 'pending' as const,
      data: { text: commentId },
      queuedAt: new Date(),
    })),
  })
  return { communityId, commentIds }
}

/** The comment that a delivery is about. */
export function deliveredComment({ data }: { data: Record<string, unknown> }): string {
  const [comment] = data.comments as { commentId: string }[]
  return comment?.commentId ?? ''
}
