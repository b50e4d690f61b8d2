import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import {
  AnyObject,
  EitherFlag,
  ListFields,
  ListOptions,
  listOf,
  Paging,
  QueryFlag,
  RecordPath,
  StoredObject,
  Time,
} from '#server/core/wire/schema.ts'
import { HashFlag, User } from '#server/modules/accounts/users/schema.ts'
import { Body } from '#server/modules/content/comments/schema.ts'
import { Mentionee, NewMentionees } from '#server/modules/content/mentions/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'
import { ChannelType } from '#server/modules/spaces/channels/schema.ts'

const LatestReaction = z
  .object({
    referenceId: z.string().optional(),
    referenceType: z.string().optional(),
    reactionName: z.string().optional(),
    userId: z.string().optional(),
    userDisplayName: z.string().optional(),
    reactionId: z.string().optional(),
    eventName: z.string().optional(),
    createdAt: Time.optional(),
  })
  .meta({ id: 'LatestReaction' })

/** A search result (docs/interface/messages.md#message). Fields without a value are left out, never null. */
export const Message = z
  .object({
    _id: z.string(),
    path: RecordPath,
    messageId: z.string(),
    channelId: z.string(),
    userId: z.string(),
    parentId: z.string().optional(),
    fileId: z.string().optional(),
    type: z.string(),
    data: StoredObject.optional(),
    channelSegment: z.int().optional(),
    tags: z.array(z.string()),
    metadata: StoredObject.optional(),
    flagCount: z.int(),
    hashFlag: HashFlag.optional(),
    childrenNumber: z.int(),
    reactionsCount: z.int(),
    reactions: z.record(z.string(), z.int()),
    myReactions: z.array(z.string()),
    latestReaction: LatestReaction.optional(),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
    editedAt: Time.optional(),
    mentionees: z.array(Mentionee),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof Message>

/** A message where a feed is read: version 5 adds field names of its own, and SDKs know no others (docs/interface/messages.md#message). */
export const FeedMessage = Message.extend({
  messageFeedId: z.string(),
  channelPublicId: z.string(),
  channelType: ChannelType,
  /** The author's internal id. */
  creatorId: z.string(),
  creatorPublicId: z.string(),
  dataType: z.string(),
  segment: z.int().optional(),
  childCount: z.int(),
  reactionCount: z.int(),
  mentionedUsers: z.array(Mentionee),
}).meta({ id: 'FeedMessage' })
export type FeedMessage = z.output<typeof FeedMessage>

/** A channel's main feed has the channel's internal id (docs/interface/messages.md#message-feed). */
export const MessageFeed = z
  .object({
    messageFeedId: z.string(),
    channelId: z.string(),
    channelPublicId: z.string(),
    channelType: ChannelType,
    name: z.string().optional(),
    creatorId: z.string().optional(),
    path: RecordPath,
    lastMessageId: z.string().optional(),
    messagePreviewId: z.string().optional(),
    childCount: z.int(),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
    lastMessageTimestamp: Time.optional(),
    editedAt: Time.optional(),
  })
  .meta({ id: 'MessageFeed' })
export type MessageFeed = z.output<typeof MessageFeed>

/** What every response about messages contains. */
export const MessagesEnvelope = z
  .object({
    messages: z.array(FeedMessage),
    messageFeeds: z.array(MessageFeed),
    users: z.array(User),
    files: z.array(File),
  })
  .meta({ id: 'Messages' })
export type MessagesEnvelope = z.output<typeof MessagesEnvelope>

export const MessagesPage = MessagesEnvelope.extend({ paging: Paging }).meta({ id: 'MessagesPage' })
export type MessagesPage = z.output<typeof MessagesPage>

export const MessageParams = z.object({ messageId: ResourceId })

/** The tags that search finds messages by (docs/interface/search.md#search-messages). */
const Tag = text({ min: 1, max: 30 })

/** Body of docs/interface/messages.md#write-a-message. A channel's main feed has the channel's internal id. */
export const NewMessage = z
  .object({
    messageFeedId: ResourceId,
    dataType: text({ min: 1, max: 255 }).default('text'),
    data: Body.default({}),
    fileId: ResourceId.optional(),
    parentId: ResourceId.optional(),
    metadata: AnyObject.optional(),
    mentionees: NewMentionees.optional(),
    tags: z.array(Tag).max(10).default([]),
  })
  .refine(({ data, fileId }) => fileId !== undefined || Object.keys(data).length > 0, {
    path: ['data'],
    error: 'is required',
  })
export type NewMessage = z.output<typeof NewMessage>

/** `filterByParentId` without a `parentId` returns top-level messages. */
export const MessagesQuery = z.object({
  messageFeedId: ResourceId,
  parentId: ResourceId.optional(),
  filterByParentId: QueryFlag.default(false),
  hasFlags: QueryFlag.optional(),
  isDeleted: EitherFlag,
  tags: listOf(Tag, { max: 10 }).optional(),
  options: ListOptions.unwrap()
    .extend({ sortBy: z.enum(['segmentAsc', 'segmentDesc']).default('segmentDesc') })
    .prefault({}),
})
export type MessagesQuery = z.output<typeof MessagesQuery>

/** The feeds of one channel, and the latest message of each (docs/interface/messages.md#list-feeds). */
export const FeedsParams = z.object({ channelId: ResourceId })
export const FeedParams = z.object({ messageFeedId: ResourceId })
export const FeedsQuery = z.object(ListFields)
export type FeedsQuery = z.output<typeof FeedsQuery>
