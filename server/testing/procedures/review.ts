import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import {
  ANYBODY,
  type DeskOutcomes,
  type DeskRow,
  REVIEWERS,
  REVIEWERS_OF_THE_KNOWN,
} from '#server/testing/procedures/row.ts'
import { rejectedByRule } from '#server/testing/rejected-by-rule.ts'

const comment = ({ heldCommentId }: DeskScene) => ({ subjectType: 'comment' as const, subjectId: heldCommentId })
const post = ({ heldPostId }: DeskScene) => ({ subjectType: 'post' as const, subjectId: heldPostId })
const message = ({ messageId }: DeskScene) => ({ subjectType: 'message' as const, subjectId: messageId })

/** Those who review the reports of the scene's channel. */
const CHANNEL_REVIEWERS: DeskOutcomes = [401, 404, 200, 404, 404, 404, 200, 200, 200]
/** Conversations are accessible only to those whose role allows it (docs/interface/permissions.md#conversations). */
const CONVERSATION_READERS: DeskOutcomes = [401, 404, 404, 404, 404, 404, 404, 404, 200]

export const REVIEW_ROWS: DeskRow[] = [
  {
    procedure: 'review.queue',
    about: 'of the community',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: ({ communityId }) => ({ communityId, timeZone: 'UTC' }),
  },
  {
    procedure: 'review.export',
    about: 'of the community',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: ({ communityId }) => ({ communityId, timeZone: 'UTC' }),
  },
  { procedure: 'review.look', outcomes: REVIEWERS, input: async (scene) => ({ subject: comment(scene) }) },
  { procedure: 'review.counts', outcomes: ANYBODY },
  {
    procedure: 'review.matching',
    about: 'in the community',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: ({ communityId }) => ({ communityId, text: 'word', timeZone: 'UTC' }),
  },
  { procedure: 'review.authors', outcomes: ANYBODY, input: () => ({ name: 'Some' }) },
  { procedure: 'review.facets', about: 'of all communities', outcomes: ANYBODY, input: () => ({}) },
  {
    procedure: 'review.facets',
    about: 'of the community',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: ({ communityId }) => ({ communityId }),
  },
  { procedure: 'review.item', about: 'a comment', outcomes: REVIEWERS, input: comment },
  { procedure: 'review.item', about: 'a post', outcomes: REVIEWERS, input: post },
  {
    procedure: 'review.item',
    about: 'a reported message',
    outcomes: CHANNEL_REVIEWERS,
    input: async (scene) => ({ ...(await reported(scene)), isReported: true }),
  },
  {
    procedure: 'translations.item',
    about: 'while translation is off',
    outcomes: REVIEWERS,
    input: async (scene) => ({ ...(await comment(scene)), version: 1, target: 'de' }),
  },
  { procedure: 'review.earlier', outcomes: REVIEWERS, input: comment },
  { procedure: 'review.thread', outcomes: REVIEWERS, input: comment },
  { procedure: 'review.wave', outcomes: REVIEWERS, input: comment },
  { procedure: 'rules.ofWave', outcomes: REVIEWERS, input: comment },
  {
    procedure: 'review.openConversation',
    outcomes: CONVERSATION_READERS,
    input: async (scene) => {
      const { conversationMessageId: id, outsiderId, database } = scene
      await flag(ctxOf(database, asUser(outsiderId)), flaggableMessage, { id, flag: { reason: 'Others' } })
      return { messageId: id, reason: 'Reported as a threat' }
    },
  },
  {
    procedure: 'review.decide',
    about: 'a comment',
    outcomes: REVIEWERS,
    input: (scene) => ({ ...comment(scene), outcome: 'approved', version: 1 }),
  },
  {
    procedure: 'review.decide',
    about: 'a post',
    outcomes: REVIEWERS,
    input: (scene) => ({ ...post(scene), outcome: 'rejected', version: 1 }),
  },
  {
    procedure: 'review.decide',
    about: 'a reported message',
    outcomes: CHANNEL_REVIEWERS,
    // Its second flag: all that is in a scene is flagged.
    input: async (scene) => ({ ...(await reported(scene)), outcome: 'dismissed', version: 2 }),
  },
  {
    procedure: 'escalations.escalate',
    about: 'of a report',
    outcomes: CHANNEL_REVIEWERS,
    input: async (scene) => ({ ...(await reported(scene)), kind: 'reported', note: 'What do you think?' }),
  },
  {
    procedure: 'escalations.handOver',
    about: 'of a report that isn’t escalated',
    outcomes: [401, 404, 'CHANGED', 404, 404, 404, 'CHANGED', 'CHANGED', 'CHANGED'],
    input: async (scene) => ({ ...(await reported(scene)), kind: 'reported', handTo: null }),
  },
  {
    procedure: 'escalations.deescalate',
    about: 'of a report that isn’t escalated',
    outcomes: [401, 404, 'CHANGED', 404, 404, 404, 'CHANGED', 'CHANGED', 'CHANGED'],
    input: async (scene) => ({ ...(await reported(scene)), kind: 'reported' }),
  },
  {
    procedure: 'review.edit',
    about: 'a comment',
    outcomes: REVIEWERS,
    input: (scene) => ({ ...comment(scene), version: 1, text: 'Other words' }),
  },
  {
    procedure: 'review.edit',
    about: 'a post',
    outcomes: REVIEWERS,
    input: (scene) => ({ ...post(scene), version: 1, text: 'Other words' }),
  },
  { procedure: 'review.claim', about: 'of a comment', outcomes: REVIEWERS, input: comment },
  { procedure: 'review.claim', about: 'of a post', outcomes: REVIEWERS, input: post },
  {
    procedure: 'review.claim',
    about: 'of a reported message',
    outcomes: CHANNEL_REVIEWERS,
    input: async (scene) => ({ ...(await reported(scene)), kind: 'reported' }),
  },
  {
    procedure: 'review.claim',
    about: 'of what somebody else has claimed',
    outcomes: [401, 'CHANGED', 404, 404, 404, 404, 'CHANGED', 'CHANGED', 'CHANGED'],
    input: async (scene) => {
      await claim(await scene.as(scene.leadId), comment(scene))
      return comment(scene)
    },
  },
  {
    procedure: 'review.release',
    about: 'one’s own, if there is one',
    outcomes: REVIEWERS,
    input: async (scene) => {
      await claim(await scene.as(scene.me), comment(scene)).catch(() => undefined)
      return comment(scene)
    },
  },
  {
    procedure: 'review.giveReason',
    about: 'of one’s own',
    outcomes: REVIEWERS,
    input: async (scene) => ({ decisionId: await decided(scene, scene.me, 'rejected'), reason: 'Rude' }),
  },
  {
    procedure: 'review.giveReason',
    about: 'of somebody else’s',
    outcomes: [401, 403, 404, 404, 404, 404, 403, 403, 403],
    input: async (scene) => ({ decisionId: await decided(scene, scene.leadId, 'rejected'), reason: 'Rude' }),
  },
  {
    procedure: 'review.undo',
    about: 'one’s own',
    outcomes: REVIEWERS,
    input: async (scene) => ({ decisionId: await decided(scene, scene.me) }),
  },
  {
    procedure: 'review.undo',
    about: 'somebody else’s',
    outcomes: [401, 403, 404, 404, 404, 404, 403, 403, 403],
    input: async (scene) => ({ decisionId: await decided(scene, scene.leadId) }),
  },
  { procedure: 'review.undoLatest', outcomes: ANYBODY },
  { procedure: 'review.ownDay', outcomes: ANYBODY, input: () => ({ since: '2026-11-22T00:00:00Z' }) },
  {
    procedure: 'review.reverse',
    about: 'of an approval',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: async (scene) => {
      await decided(scene, scene.leadId)
      return { ...comment(scene), version: 2, reason: 'Looked at again' }
    },
  },
  {
    procedure: 'review.restore',
    about: 'of a comment that a rule rejected',
    outcomes: REVIEWERS,
    input: async (scene) => {
      await rejectedByRule(scene.database, { communityId: scene.communityId, commentId: scene.heldCommentId })
      return { ...comment(scene), version: 1 }
    },
  },
]

/** Decided by this person; where they may not, by someone who leads the space, since anyone may name a decision they know of. */
async function decided(scene: DeskScene, by: string, outcome: 'approved' | 'rejected' = 'approved'): Promise<string> {
  const subject = { ...comment(scene), outcome, version: 1 }
  const { decisionId } = await decide(await scene.as(by), subject).catch(async () =>
    decide(await scene.as(scene.leadId), subject),
  )
  return decisionId
}

async function reported(scene: DeskScene) {
  const { bannedId: _, database, channelId, messageId } = scene
  const { userId } = await database.prisma.channelUser.findFirstOrThrow({
    where: { channelId, userId: scene.leadId },
  })
  await flag(ctxOf(database, asUser(userId)), flaggableMessage, { id: messageId, flag: { reason: 'Others' } })
  return message(scene)
}
