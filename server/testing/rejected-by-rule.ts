import type { Database } from '#server/core/database/open-database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'

type Rejected = { commentId: string; communityId: string } | { messageId: string }

/** Leaves a held comment or a message as if a rule of its community, or of the network, had rejected it instead. */
export async function rejectedByRule(database: Database, rejected: Rejected): Promise<void> {
  const { prisma } = database
  const createdAt = new Date()
  const subject = subjectOf(rejected)
  const { ruleId } = await prisma.rule.create({
    data: {
      ...('communityId' in rejected && { communityId: rejected.communityId }),
      position: 1,
      name: 'Links',
      ownerId: 'somebody',
      createdAt,
      updatedAt: createdAt,
    },
  })
  const version = { version: 1, kinds: [subject.subjectType], condition: { kind: 'links' }, action: { type: 'reject' } }
  await prisma.ruleVersion.create({ data: { ruleId, ...version, createdBy: 'somebody', createdAt } })
  const match = { ruleId, version: 1, isLive: true, found: [], createdAt }
  await prisma.ruleMatch.create({ data: { ...match, ...subject } })
  if ('messageId' in rejected)
    await prisma.message.update({ where: { messageId: rejected.messageId }, data: { isDeleted: true } })
  else
    await prisma.comment.update({
      where: { commentId: rejected.commentId },
      data: { approvalStatus: 'rejected', isDeleted: true },
    })
  await keepReportsOf(database, subject.subjectType, [subject.subjectId])
}

function subjectOf(rejected: Rejected) {
  return 'messageId' in rejected
    ? ({ subjectType: 'message', subjectId: rejected.messageId } as const)
    : ({ subjectType: 'comment', subjectId: rejected.commentId } as const)
}
