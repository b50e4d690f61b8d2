import { z } from 'zod'
import { User, UsersAnswer } from '#server/modules/accounts/users/schema.ts'
import { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { FeedMessage, MessagesEnvelope } from '#server/modules/content/messages/schema.ts'
import { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { Room } from '#server/modules/content/rooms/schema.ts'
import { VideoStreaming } from '#server/modules/content/streams/schema.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'
import { ModerationSettings } from '#server/modules/network/settings/schema.ts'
import { StatementTold } from '#server/modules/network/statements/schema.ts'
import { AppealTold } from '#server/modules/review/appeals/schema.ts'
import { ReviewReason } from '#server/modules/rules/judging/schema.ts'
import { Channel } from '#server/modules/spaces/channels/schema.ts'
import { CommunitiesAnswer, JoinRequests } from '#server/modules/spaces/communities/schema.ts'

/** The thirteen arrays of docs/interface/webhooks.md#posts. */
const PostTold = PostsEnvelope.extend({
  videoStreamings: z.array(VideoStreaming),
  videoStreamingChildren: z.array(VideoStreaming),
  rooms: z.array(Room),
  roomChildrens: z.array(Room),
}).meta({ id: 'PostTold' })

const flaggedBy = { flaggedUserId: z.string() }
/** Absent where a rule flagged it. */
const flaggedByAny = { flaggedUserId: z.string().optional() }
/** What is held, by its id: only endpoints that name the event receive it. Without rules and treatment, the community's setting holds it. */
const HELD = {
  communityId: z.string(),
  /** The treatment by which all that its author writes is held. */
  treatmentId: z.string().optional(),
  rules: z.array(z.object({ ruleId: z.string(), version: z.int(), name: z.string(), label: z.string().optional() })),
}
/** After a decision, the message has the rules that rejected or flagged it. */
const MessagesDecided = MessagesEnvelope.extend({
  messages: z.array(FeedMessage.extend({ reviewReasons: z.array(ReviewReason).optional() })),
})
const Channels = z.object({ channel: z.array(Channel) })
const MembersTold = Channels.extend({ users: z.array(User), userIds: z.array(z.string()), actorId: z.string() }).meta({
  id: 'ChannelMembersTold',
})

/** The `data` of each event. */
const PAYLOADS: Record<EventName, z.ZodObject> = {
  'v3.post.didApprove': PostTold,
  'v3.post.didDecline': PostTold,
  'v3.post.didCreate': PostTold,
  'v3.post.didUpdate': PostTold,
  'v3.post.didDelete': PostTold,
  'v3.post.didFlag': PostTold.extend(flaggedByAny),
  'v3.post.didUnflag': PostTold.extend(flaggedBy),
  'v3.post.didClearFlag': PostTold,
  'v3.post.didHold': z.object({ postId: z.string(), ...HELD }),
  'v3.comment.didApprove': CommentsEnvelope,
  'v3.comment.didCreate': CommentsEnvelope,
  'v3.comment.didReply': CommentsEnvelope,
  'v3.comment.didUpdate': CommentsEnvelope,
  'v3.comment.didDelete': CommentsEnvelope,
  'v3.comment.didFlag': CommentsEnvelope.extend(flaggedByAny),
  'v3.comment.didUnflag': CommentsEnvelope.extend(flaggedBy),
  'v3.comment.didClearFlag': CommentsEnvelope,
  'v3.comment.didHold': z.object({ commentId: z.string(), ...HELD }),
  'v3.community.didCreate': CommunitiesAnswer,
  'v3.community.didUpdate': CommunitiesAnswer,
  'v3.community.didDelete': CommunitiesAnswer,
  'v3.community.didJoin': CommunitiesAnswer,
  'v3.community.didLeave': CommunitiesAnswer,
  'v3.community.didAddUsers': CommunitiesAnswer,
  'v3.community.didRemoveUsers': CommunitiesAnswer,
  'v3.community.didBan': CommunitiesAnswer,
  'v3.community.didUnban': CommunitiesAnswer,
  'v3.community.didRoleChange': CommunitiesAnswer,
  'v3.communityJoinRequest.didCreate': JoinRequests,
  'v3.communityJoinRequest.didAccept': JoinRequests,
  'v3.communityJoinRequest.didReject': JoinRequests,
  'channel.didCreate': MembersTold.omit({ actorId: true }),
  'channel.didUpdate': Channels.extend({ actorId: z.string() }),
  'channel.didJoin': MembersTold,
  'channel.didLeave': MembersTold,
  'channel.didAddUsers': MembersTold.extend({ adderId: z.string() }),
  'channel.didRemoveUsers': MembersTold.extend({ removerId: z.string() }),
  'channel.didBan': MembersTold,
  'channel.didUnban': MembersTold,
  'v5.message.didCreate': MessagesDecided,
  'v5.message.didDelete': MessagesDecided,
  'message.didFlag': MessagesEnvelope.extend(flaggedByAny),
  'message.didUnflag': MessagesEnvelope.extend(flaggedBy),
  'message.didClearflag': MessagesDecided,
  'user.didCreate': UsersAnswer,
  'user.didUpdate': UsersAnswer,
  'user.didDelete': UsersAnswer,
  'user.didFlag': UsersAnswer.extend(flaggedBy),
  'user.didUnflag': UsersAnswer.extend(flaggedBy),
  'user.didClearFlag': UsersAnswer,
  'user.didGlobalBan': UsersAnswer,
  'user.didGlobalUnban': UsersAnswer,
  'statement.didCreate': StatementTold,
  'appeal.didCreate': AppealTold,
  'appeal.didResolve': AppealTold,
  'network.moderationDidUpdate': ModerationSettings,
  'webhook.didTest': z.object({ endpointId: z.string(), actorId: z.string() }),
}

/** The body posted to an endpoint, as JSON Schema: docs/events.schema.json. */
export function webhookSchema(): Record<string, unknown> {
  const bodies = Object.entries(PAYLOADS).map(([name, payload]) =>
    z.object({ event: z.literal(name), data: payload }).meta({ title: name }),
  )
  const [first, ...others] = bodies
  if (first === undefined) throw new Error('there are no events')
  const { $schema, ...schema } = z.toJSONSchema(z.union([first, ...others]), {
    target: 'draft-2020-12',
    // Fields may be added later: receivers must accept them.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return { $schema, title: "What Docket posts to a webhook's endpoint", ...schema }
}
