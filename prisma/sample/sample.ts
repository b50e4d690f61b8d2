import type { ImportRecord } from '#server/modules/integrations/imports/import-records.ts'
import type { Sample } from '#server/modules/integrations/imports/load-sample.ts'
import { CHATS, type Chat } from './channels.ts'
import { FLAGS } from './flags.ts'
import { HARBOUR_TOWN } from './harbour-town.ts'
import { LATE_SHOW } from './late-show.ts'
import { PEOPLE, type Person } from './people.ts'
import { RULES, WRITTEN } from './rules.ts'
import { SLOW_LOAF } from './slow-loaf.ts'
import type { Post, Said } from './thread.ts'

interface Space {
  communityId: string
  displayName: string
  description: string
  isHolding: boolean
  moderators: Person[]
  posts: Post[]
}

const SPACES: Space[] = [
  {
    communityId: 'harbour-town',
    displayName: 'Harbour Town',
    description: 'Ferries, gulls and neighbours. Be as friendly as you are on the pier.',
    isHolding: true,
    moderators: ['gwen-pritchard', 'amara-okafor'],
    posts: HARBOUR_TOWN,
  },
  {
    communityId: 'slow-loaf',
    displayName: 'Slow Loaf',
    description: 'A circle for people who bake bread and have the time, or wish they had.',
    isHolding: true,
    moderators: ['hana-novakova'],
    posts: SLOW_LOAF,
  },
  {
    communityId: 'late-show',
    displayName: 'The Late Show Film Club',
    description: 'Six evenings a season in the old customs house, and the talk afterwards.',
    isHolding: false,
    moderators: ['leila-benali'],
    posts: LATE_SHOW,
  },
]

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
/** Pending items were written within the last two days; decided ones are older. */
const SETTLED_AGO = 2 * DAY_MINUTES

/** Three communities, two chats and their content, active until just now. */
export function makeSample(now: Date): Sample {
  const clock: Clock = (minutesAgo) => new Date(now.getTime() - minutesAgo * MINUTE_MS).toISOString()
  return {
    records: [
      ...Object.entries(PEOPLE).map(([userId, displayName], index) =>
        personRecord(userId, { displayName, createdAt: clock((400 - index) * DAY_MINUTES) }),
      ),
      ...SPACES.flatMap((space) => spaceRecords(space, clock)),
      ...CHATS.flatMap((chat) => chatRecords(chat, clock)),
      ...liveRecords(clock),
    ],
    flags: FLAGS.map(({ minutesAgo, what, ...flag }) => ({ ...flag, subject: what, at: clock(minutesAgo) })),
    moderatedCommunityId: 'harbour-town',
    rules: RULES,
    rulesBy: { userId: 'gwen-pritchard', at: clock(9 * DAY_MINUTES) },
    written: WRITTEN.map(({ minutesAgo, ...comment }) => ({ ...comment, at: clock(minutesAgo) })),
  }
}

type Clock = (minutesAgo: number) => string

function personRecord(
  userId: string,
  { displayName, createdAt }: { displayName: string; createdAt: string },
): ImportRecord {
  return { type: 'user', userId, displayName, createdAt }
}

function spaceRecords(
  { communityId, displayName, description, isHolding, moderators, posts }: Space,
  clock: Clock,
): ImportRecord[] {
  const createdAt = clock(380 * DAY_MINUTES)
  const members = new Set([...moderators, ...posts.flatMap((post) => [post.by, ...post.comments.flatMap(voices)])])
  return [
    {
      type: 'community',
      communityId,
      displayName,
      description,
      isDiscoverable: true,
      needApprovalOnCommentCreation: isHolding,
      createdAt,
    },
    { type: 'feed', feedId: feedOf(communityId), targetType: 'community', targetId: communityId, createdAt },
    ...[...members].map(
      (userId): ImportRecord => ({
        type: 'communityUser',
        communityId,
        userId,
        communityMembership: 'member',
        roles: moderators.includes(userId) ? ['community-moderator'] : [],
        createdAt: clock(300 * DAY_MINUTES),
      }),
    ),
    ...posts.flatMap((post) => postRecords(post, { communityId, clock })),
  ]
}

function feedOf(communityId: string): string {
  return `${communityId}-feed`
}

function voices({ by, replies }: Said): Person[] {
  return [by, ...replies.flatMap(voices)]
}

function postRecords(
  { postId, by, daysAgo, title, text, tags = [], comments }: Post,
  { communityId, clock }: { communityId: string; clock: Clock },
): ImportRecord[] {
  const target = { targetType: 'community', targetId: communityId } as const
  const writtenAgo = daysAgo * DAY_MINUTES
  const all = inOrder(comments)
  // Comments without a time follow one another, so a reply is later than its parent.
  const step = (writtenAgo - SETTLED_AGO) / (all.length + 1)
  return [
    {
      type: 'post',
      postId,
      postedUserId: by,
      ...target,
      feedId: feedOf(communityId),
      data: { title, text },
      dataType: 'text',
      tags,
      createdAt: clock(writtenAgo),
    },
    ...all.map(({ said, parentIndex }, index): ImportRecord => {
      const commentAgo = said.writtenAgo ?? writtenAgo - step * (index + 1)
      return {
        type: 'comment',
        commentId: commentIdOf(postId, index),
        referenceType: 'post',
        referenceId: postId,
        ...target,
        userId: said.by,
        dataTypes: ['text'],
        data: { text: said.text },
        createdAt: clock(commentAgo),
        ...(parentIndex !== undefined && { parentId: commentIdOf(postId, parentIndex) }),
        ...(said.approvalStatus && {
          approvalStatus: said.approvalStatus,
          queuedAt: clock(said.heldAgo ?? commentAgo),
        }),
        ...(said.mentions && { mentionees: [{ type: 'user', userIds: said.mentions }] }),
      }
    }),
  ]
}

function commentIdOf(postId: string, index: number): string {
  return `${postId}-comment-${index + 1}`
}

interface Placed {
  said: Said
  /** Its position among all comments of the post. */
  parentIndex?: number
}

/** Every comment followed by its replies, starting at `first`. */
function inOrder(comments: Said[], first = 0, parentIndex?: number): Placed[] {
  const placed: Placed[] = []
  for (const said of comments) {
    const index = first + placed.length
    placed.push({ said, ...(parentIndex !== undefined && { parentIndex }) })
    placed.push(...inOrder(said.replies, index + 1, index))
  }
  return placed
}

function chatRecords(
  { channelId, channelType, displayName, tags, moderator, pace, messages }: Chat,
  clock: Clock,
): ImportRecord[] {
  const members = new Set([moderator, ...messages.map(([by]) => by)])
  const createdAt = clock(60 * DAY_MINUTES)
  return [
    { type: 'channel', channelId, channelType, displayName, tags, createdAt },
    ...[...members].map(
      (userId): ImportRecord => ({
        type: 'channelUser',
        channelId,
        userId,
        membership: 'member',
        roles: userId === moderator ? ['channel-moderator'] : [],
        createdAt,
      }),
    ),
    ...messages.map(
      ([userId, text], index): ImportRecord => ({
        type: 'message',
        messageId: `${channelId}-message-${index + 1}`,
        channelId,
        userId,
        channelSegment: index + 1,
        dataType: 'text',
        data: { text },
        createdAt: clock(2 + pace * (messages.length - 1 - index)),
      }),
    ),
  ]
}

/** The current stream or room, and the planned one that a post mentions. */
function liveRecords(clock: Clock): ImportRecord[] {
  const startedAt = clock(41)
  return [
    {
      type: 'stream',
      streamId: 'friday-bake-stream',
      userId: 'hana-novakova',
      title: 'Friday bake',
      status: 'live',
      isLive: true,
      channelEnabled: true,
      channelId: 'friday-bake',
      startedAt,
      createdAt: startedAt,
    },
    {
      type: 'room',
      roomId: 'late-show-intermission',
      roomType: 'co_hosts',
      targetType: 'community',
      targetId: 'late-show',
      title: 'Intermission: what did we just see?',
      status: 'live',
      createdBy: 'leila-benali',
      participants: [{ type: 'host', userId: 'leila-benali' }],
      liveAt: startedAt,
      createdAt: startedAt,
    },
    {
      type: 'file',
      fileId: 'allotment-plan',
      fileType: 'file',
      altText: 'Plan of the eight allotment plots',
      attributes: { name: 'allotment-plan.pdf', extension: 'pdf', mimeType: 'application/pdf', size: 48_213 },
      createdAt: clock(12 * DAY_MINUTES),
    },
  ]
}
