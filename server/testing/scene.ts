import { randomUUID } from 'node:crypto'
import type { Database } from '#server/core/database/open-database.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'
import type { Standing } from '#server/testing/callers.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'

/** A space with people and content, for one request alone: no other request affects it. */
export interface Scene {
  communityId: string
  channelId: string
  /** The channel's main feed, whose id is the channel's internal id. */
  messageFeedId: string
  /** Written by a member, in the channel. */
  messageId: string
  /** Written by a member and published in the community, with a member's comment on it. */
  postId: string
  commentId: string
  /** Both are pending review. */
  heldPostId: string
  heldCommentId: string
  /** Between the member and the outsider. */
  conversationId: string
  conversationFeedId: string
  conversationMessageId: string
  /** A rule of each list, which no other text matches. */
  blockRuleId: string
  allowRuleId: string
  /** By which the outsider is trusted in the community. */
  treatmentId: string
  /** The member's, of a ban. */
  statementId: string
  /** Theirs, against a warning. */
  appealId: string
  /** A day whose report has a file; it belongs to the network, and contains only the header. */
  reportedDay: string
  /** In every name and text of the scene, and nowhere else. */
  word: string
  /** What identifies their texts: the word, and the key that is in every id of the space. */
  text: string

  /** An ordinary member of channel and community, who wrote all of the above. */
  memberId: string
  /** A user who is in neither, and requests to join the community. */
  outsiderId: string
  /** Banned from both. */
  bannedId: string
  /** Banned from the network. */
  outcastId: string
  /** The calling user; absent for an admin token or a key. */
  callerId?: string
  /** Of the calling user. */
  token?: string
}

/** The caller, and their part in the scene; without a user for an admin token or a key. */
type Casting = Standing | 'none' | undefined

const FLAGGED = { flagCount: 1, hashFlag: { bits: 0, hashes: 0, hash: [] } }
const LIFETIME_MS = 3_600_000
const REPORTED_DAY = '2026-01-01'

/** Scenes that share nothing, one for each caller, created with one statement per table however many they are. */
export async function makeScenes(
  database: Database,
  { isPublic = true, castings }: { isPublic?: boolean; castings: Casting[] },
): Promise<Scene[]> {
  const castScenes = castings.map(cast)
  await addPeople(database, castScenes)
  await addCommunities(database, castScenes, isPublic)
  await addChannels(database, castScenes, isPublic)
  await reportAll(database, castScenes)
  return castScenes.map(({ scene }) => scene)
}

/** Deletes the rules of both lists: each scene adds some, and what all of them together may take is limited. */
export async function forgetLists({ prisma }: Database): Promise<void> {
  await prisma.listRule.deleteMany()
}

interface CastScene {
  scene: Scene
  people: Person[]
}

interface Person extends Standing {
  userId: string
}

/**
 * The scene, and the people in its channel and community: those who lead them, a member, someone banned, and the caller unless a stranger.
 */
function cast(casting: Casting): CastScene {
  const { callerId, token, ...space } = idsOf(randomUUID(), randomUUID())
  const nothing = { channelRoles: [], communityRoles: [] }
  return {
    scene: casting === undefined ? space : { ...space, callerId, token },
    people: [
      {
        userId: space.memberId.replace('member', 'lead'),
        membership: 'member',
        channelRoles: ['channel-moderator'],
        communityRoles: ['community-moderator'],
      },
      { userId: space.memberId, membership: 'member', ...nothing },
      { userId: space.bannedId, membership: 'banned', ...nothing },
      ...(casting === undefined || casting === 'none' ? [] : [{ userId: callerId, ...casting }]),
    ],
  }
}

async function addPeople({ prisma }: Database, castScenes: CastScene[]): Promise<void> {
  const userIds = castScenes.flatMap(({ scene, people }) => [
    ...people.map(({ userId }) => userId),
    scene.outsiderId,
    ...(scene.callerId === undefined ? [] : [scene.callerId]),
  ])
  await prisma.user.createMany({
    data: [
      ...[...new Set(userIds)].map((userId) => ({ userId, displayName: 'Some one' })),
      ...castScenes.map(({ scene }) => ({ userId: scene.outcastId, isGlobalBan: true })),
    ],
  })
  await prisma.ban.createMany({
    data: castScenes.map(({ scene }) => ({ scope: 'network', userId: scene.outcastId })),
  })
  await prisma.accessToken.createMany({
    data: castScenes.flatMap(({ scene: { callerId, token } }) =>
      callerId === undefined || token === undefined
        ? []
        : [
            {
              digest: new Uint8Array(digestOf(token)),
              kind: 'user' as const,
              userId: callerId,
              expiresAt: new Date(Date.now() + LIFETIME_MS),
            },
          ],
    ),
  })
  await prisma.listRule.createMany({
    data: castScenes.flatMap(({ scene: { blockRuleId, allowRuleId } }) => [
      { ruleId: blockRuleId, list: 'block' as const, pattern: blockRuleId, matcher: blockRuleId },
      { ruleId: allowRuleId, list: 'allow' as const, pattern: allowRuleId, matcher: allowRuleId },
    ]),
  })
  await prisma.reportedAct.createMany({
    data: [{ auditId: 0, at: new Date(REPORTED_DAY), event: 'didBan', lineBytes: 0 }],
    skipDuplicates: true,
  })
}

async function addCommunities({ prisma }: Database, castScenes: CastScene[], isPublic: boolean): Promise<void> {
  const scenes = castScenes.map(({ scene }) => scene)
  await prisma.community.createMany({
    data: scenes.map(({ communityId, text }) => ({
      communityId,
      internalId: internalIdOf(communityId),
      displayName: text,
      isPublic,
    })),
  })
  await prisma.communityUser.createMany({
    data: castScenes.flatMap(({ scene: { communityId }, people }) =>
      people.map(({ userId, membership, communityRoles }) => ({
        communityId,
        userId,
        membership,
        roles: communityRoles,
      })),
    ),
  })
  await prisma.ban.createMany({
    data: scenes.map(({ communityId, bannedId }) => ({ scope: 'community', communityId, userId: bannedId })),
  })
  await prisma.authorTreatment.createMany({
    data: scenes.map(({ communityId, outsiderId: userId, treatmentId }) => ({
      ...{ treatmentId: BigInt(treatmentId), communityId, userId, kind: 'trust' as const },
      setBy: 'someone',
      createdAt: new Date(),
    })),
  })
  const issued = { createdAt: new Date(), issuedAt: new Date() }
  await prisma.statement.createMany({
    data: scenes.flatMap(({ communityId, memberId: userId, statementId, appealId }) => [
      { ...issued, statementId, communityId, userId, measure: 'banned' },
      { ...issued, statementId: `of-${appealId}`, communityId, userId, measure: 'warned' },
    ]),
  })
  await prisma.appeal.createMany({
    data: scenes.map(({ memberId: userId, appealId }) => ({
      ...{ appealId, userId, statementId: `of-${appealId}` },
      words: 'Why?',
      createdAt: new Date(),
    })),
  })
  const requests = castScenes.flatMap((castScene) =>
    askersAmong(castScene).map((userId) => ({ communityId: castScene.scene.communityId, userId })),
  )
  // As a join request leaves them: known to the community, but not members.
  await prisma.communityUser.createMany({
    data: requests.map((request) => ({ ...request, membership: 'none' as const })),
  })
  await prisma.joinRequest.createMany({ data: requests })
  await prisma.post.createMany({
    data: scenes.flatMap(({ communityId, postId, heldPostId, memberId, text }) => {
      const post = { communityId, postedUserId: memberId, data: { text }, ...FLAGGED }
      return [
        { ...post, postId, feedType: 'published' as const },
        { ...post, postId: heldPostId, feedType: 'reviewing' as const, queuedAt: new Date() },
      ]
    }),
  })
  await prisma.comment.createMany({
    data: scenes.flatMap(({ communityId, postId, commentId, heldCommentId, memberId, text }) => {
      const on = { targetType: 'community' as const, communityId, referenceType: 'post' as const, referenceId: postId }
      const comment = { ...on, userId: memberId, dataTypes: ['text'], data: { text }, ...FLAGGED }
      return [
        { ...comment, commentId },
        { ...comment, commentId: heldCommentId, approvalStatus: 'pending' as const, queuedAt: new Date() },
      ]
    }),
  })
  await prisma.tallyDelta.createMany({
    data: castScenes.flatMap(({ scene: { communityId }, people }) => [
      { kind: 'community_members' as const, subjectId: communityId, delta: membersAmong(people) },
      {
        kind: 'community_moderators' as const,
        subjectId: communityId,
        delta: people.filter(({ communityRoles }) => communityRoles.length > 0).length,
      },
    ]),
  })
}

async function addChannels({ prisma }: Database, castScenes: CastScene[], isPublic: boolean): Promise<void> {
  const scenes = castScenes.map(({ scene }) => scene)
  await prisma.channel.createMany({
    data: scenes.flatMap(({ channelId, messageFeedId, messageId, conversationId, conversationFeedId, text }) => [
      { channelId, internalId: messageFeedId, displayName: text, isPublic, messagePreviewId: messageId },
      { channelId: conversationId, internalId: conversationFeedId, displayName: text, type: 'conversation' as const },
    ]),
  })
  await prisma.channelUser.createMany({
    data: castScenes.flatMap(({ scene: { channelId, conversationId, memberId, outsiderId }, people }) => [
      ...people.map(({ userId, membership, channelRoles }) => ({ channelId, userId, membership, roles: channelRoles })),
      ...[memberId, outsiderId].map((userId) => ({
        channelId: conversationId,
        userId,
        membership: 'member' as const,
      })),
    ]),
  })
  await prisma.ban.createMany({
    data: scenes.map(({ channelId, bannedId }) => ({ scope: 'channel', channelId, userId: bannedId })),
  })
  await prisma.message.createMany({
    data: scenes.flatMap(({ channelId, messageId, conversationId, conversationMessageId, memberId, text }) => {
      const message = { userId: memberId, data: { text }, ...FLAGGED }
      return [
        { ...message, channelId, messageId },
        { ...message, channelId: conversationId, messageId: conversationMessageId },
      ]
    }),
  })
  await prisma.tallyDelta.createMany({
    data: castScenes.flatMap(({ scene: { channelId, conversationId }, people }) => [
      { kind: 'channel_members' as const, subjectId: channelId, delta: membersAmong(people) },
      { kind: 'channel_members' as const, subjectId: conversationId, delta: 2 },
      { kind: 'channel_messages' as const, subjectId: channelId, delta: 1 },
      { kind: 'channel_messages' as const, subjectId: conversationId, delta: 1 },
    ]),
  })
}

/** All that is flagged is reported. */
async function reportAll(database: Database, castScenes: CastScene[]): Promise<void> {
  const idsOf = (
    ...kinds: ('postId' | 'heldPostId' | 'commentId' | 'heldCommentId' | 'messageId' | 'conversationMessageId')[]
  ) => castScenes.flatMap(({ scene }) => kinds.map((kind) => scene[kind]))
  await keepReportsOf(database, 'post', idsOf('postId', 'heldPostId'))
  await keepReportsOf(database, 'comment', idsOf('commentId', 'heldCommentId'))
  await keepReportsOf(database, 'message', idsOf('messageId', 'conversationMessageId'))
}

/** The outsider, and a stranger who calls. */
function askersAmong({ scene: { outsiderId, callerId }, people }: CastScene): string[] {
  const isStranger = callerId !== undefined && people.every(({ userId }) => userId !== callerId)
  return isStranger ? [outsiderId, callerId] : [outsiderId]
}

function membersAmong(people: Person[]): number {
  return people.filter(({ membership }) => membership === 'member').length
}

/** The internal id of a scene's community. */
export function internalIdOf(communityId: string): string {
  return `internal-${communityId}`
}

/** People's ids have another key than those of the space: profiles are visible to everyone, memberships are not. */
export function idsOf(key: string, people: string): Required<Scene> {
  return {
    communityId: `community-${key}`,
    channelId: `channel-${key}`,
    messageFeedId: `feed-${key}`,
    messageId: `message-${key}`,
    postId: `post-${key}`,
    commentId: `comment-${key}`,
    heldPostId: `held-post-${key}`,
    heldCommentId: `held-comment-${key}`,
    conversationId: `conversation-${key}`,
    conversationFeedId: `conversation-feed-${key}`,
    conversationMessageId: `conversation-message-${key}`,
    blockRuleId: `block-${key}`,
    allowRuleId: `allow-${key}`,
    treatmentId: String(BigInt(`0x1${key.replaceAll(/[^0-9a-f]/g, '').slice(0, 12)}`)),
    statementId: `statement-${key}`,
    appealId: `appeal-${key}`,
    reportedDay: REPORTED_DAY,
    word: `word${key.replaceAll('-', '')}`,
    text: `word${key.replaceAll('-', '')} of ${key}`,
    memberId: `member-${people}`,
    outsiderId: `outsider-${people}`,
    bannedId: `banned-${people}`,
    outcastId: `outcast-${people}`,
    callerId: `caller-${people}`,
    token: newSecret('dkt'),
  }
}
