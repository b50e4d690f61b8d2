import type { Database } from '#server/core/database/open-database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import type { Scene } from '#server/testing/scene.ts'

const IN_AN_HOUR = 3_600_000

/**
 * Adds to each scene one of everything that only its own moderators, or only its author, may read: a note, an escalation, a decision, a
 * flag, a ban, a mute, a lease, a saved view and a bulk action. Each contains the scene's secret, which is nowhere else.
 */
export async function plantSecrets(database: Database, scenes: Scene[]): Promise<void> {
  const { prisma } = database
  const now = new Date()
  const endsAt = new Date(now.getTime() + IN_AN_HOUR)
  const planted = scenes.map((scene) => ({
    ...scene,
    text: secretOf(scene),
    leadId: scene.memberId.replace('member', 'lead'),
    secretId: `secret-${scene.commentId}`,
  }))
  await prisma.comment.createMany({
    data: planted.map(({ secretId, communityId, memberId, text }) => ({
      commentId: secretId,
      communityId,
      userId: memberId,
      targetType: 'community' as const,
      data: { text },
      dataTypes: ['text'],
      approvalStatus: 'pending' as const,
      queuedAt: now,
    })),
  })
  await prisma.note.createMany({
    data: planted.flatMap(({ memberId, leadId, communityId, text }) => [
      { aboutUserId: memberId, writtenBy: leadId, communityId, text },
      { aboutUserId: memberId, writtenBy: leadId, text: `Across the network: ${text}` },
    ]),
  })
  for (const { secretId, leadId, text } of planted)
    await factoriesOf(database).escalated(
      { subjectType: 'comment', subjectId: secretId },
      { escalationNote: text, escalatedBy: leadId, escalatedByName: text, escalatedAt: now },
    )
  await prisma.decision.createMany({
    data: planted.map(({ secretId, communityId, memberId, leadId, text }) => ({
      subjectType: 'comment' as const,
      subjectId: secretId,
      communityId,
      authorId: memberId,
      reason: text,
      outcome: 'rejected' as const,
      decidedBy: leadId,
      decidedByName: text,
      decidedAt: now,
      source: 'desk' as const,
      version: 2,
      eventId: 0,
      undoneAt: now,
    })),
  })
  await prisma.flag.createMany({
    data: planted.map(({ secretId, leadId, text }) => ({
      subjectType: 'comment' as const,
      subjectId: secretId,
      userId: leadId,
      reason: text,
      detail: text,
    })),
  })
  await prisma.mute.createMany({
    data: planted.map(({ channelId, bannedId, leadId, text }) => ({
      channelId,
      userId: bannedId,
      mutedBy: leadId,
      reason: text,
      endsAt,
    })),
  })
  await Promise.all(
    planted.map(({ bannedId, text }) => prisma.ban.updateMany({ where: { userId: bannedId }, data: { reason: text } })),
  )
  await prisma.lease.createMany({
    data: planted.map(({ secretId, leadId }) => ({
      subjectType: 'comment' as const,
      subjectId: secretId,
      holderId: leadId,
      expiresAt: endsAt,
    })),
  })
  await prisma.savedView.createMany({
    data: planted.map(({ leadId, communityId, text }) => ({
      ownerId: leadId,
      name: text,
      page: 'queue',
      filters: { communityId, text },
    })),
  })
  await prisma.bulk.createMany({
    data: planted.map(({ leadId, secretId, text }) => ({
      bulkId: `bulk-${secretId}`,
      madeBy: leadId,
      madeByName: text,
      outcome: 'rejected' as const,
      reason: text,
      createdAt: now,
      workedAt: now,
    })),
  })
}

export function secretOf({ word, text }: Scene): string {
  return `secret-${word} ${text}`
}
