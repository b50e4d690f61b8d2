import type { Database } from '#server/core/db.ts'

interface Rejected {
  communityId: string
  commentId: string
}

/** Leaves a held comment as if a rule of its community had rejected it instead. */
export async function rejectedByRule({ prisma }: Database, { communityId, commentId }: Rejected): Promise<void> {
  const createdAt = new Date()
  const { ruleId } = await prisma.rule.create({
    data: { communityId, position: 1, name: 'Links', ownerId: 'somebody', createdAt, updatedAt: createdAt },
  })
  const version = { version: 1, kinds: ['comment'], condition: { kind: 'links' }, action: { type: 'reject' } }
  await prisma.ruleVersion.create({ data: { ruleId, ...version, createdBy: 'somebody', createdAt } })
  const match = { ruleId, version: 1, isLive: true, found: [], createdAt }
  await prisma.ruleMatch.create({ data: { ...match, subjectType: 'comment', subjectId: commentId } })
  await prisma.comment.update({ where: { commentId }, data: { approvalStatus: 'rejected', isDeleted: true } })
}
