import { describe, expect, test, vi } from 'vitest'
import { postPayload } from '#server/modules/content/posts/post-payload.ts'
import { importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const NET = 'a-network.of_ours'
const { call, tokenOf } = await testApi(database, { NETWORK_ID: NET })
const ctx = { ...systemCtx(database), networkId: NET }
const admin = await tokenOf()

interface Answer {
  status: number
  body: Record<string, { path: string }[]> & { data: Record<string, { path: string }[]> }
}
const read = (path: string, token = admin): Promise<Answer> => call('GET', path, { token })
const pathsOf = (records: { path: string }[] | undefined) => records?.map(({ path }) => path)

/** A community with a post, its attachment, and a held comment on each. */
async function forum() {
  const community = await make.community()
  const post = await make.post({ communityId: community.communityId })
  const child = await prisma.post.create({
    data: {
      postId: `${post.postId}-child`,
      parentPostId: post.postId,
      communityId: community.communityId,
      postedUserId: post.postedUserId,
    },
  })
  const comment = await make.heldComment({ communityId: community.communityId, referenceId: post.postId })
  return { community, post, child, comment, communityPath: `${NET}/social/community/${community.internalId}` }
}

describe('paths nest', () => {
  test('users, channels, messages and their feeds', async () => {
    const channel = await make.channel()
    const message = await make.message({ channelId: channel.channelId, data: { text: 'nestedwords' } })
    const user = await prisma.user.findUniqueOrThrow({ where: { userId: message.userId } })
    const path = `${NET}/channel/${channel.internalId}`

    expect(pathsOf((await read(`/api/v3/users/${user.userId}`)).body.users)).toEqual([`${NET}/user/${user.internalId}`])
    expect(pathsOf((await read(`/api/v3/channels/${channel.channelId}`)).body.channels)).toEqual([path])
    const { data } = (await read('/api/v2/search/messages?query=nestedwords')).body
    expect(pathsOf(data.messages)).toEqual([`${path}/message/${message.internalId}`])
    expect(pathsOf(data.messageFeeds)).toEqual([`${path}/messagefeed/${channel.internalId}`])
    expect(pathsOf(data.channels)).toEqual([path])
  })

  test('communities, posts, attachments and comments, in every list of them', async () => {
    const { community, post, child, comment, communityPath } = await forum()
    const postPath = `${communityPath}/post/${post.internalId}`
    const commentPath = `${postPath}/comment/${comment.internalId}`
    const onChild = await make.heldComment({ communityId: community.communityId, referenceId: child.postId })
    const reply = await make.heldComment({
      communityId: community.communityId,
      referenceId: post.postId,
      parentId: comment.commentId,
    })

    const { body } = await read(`/api/v3/posts/${post.postId}`)
    expect(pathsOf(body.communities)).toEqual([communityPath])
    expect(pathsOf(body.posts)).toEqual([postPath])
    expect(pathsOf(body.postChildren)).toEqual([`${communityPath}/post/${child.internalId}`])
    expect(pathsOf((await read(`/api/v3/comments/${comment.commentId}`)).body.comments)).toEqual([commentPath])

    const queue = await read(`/api/v3/communities/${community.communityId}/comments/review-queue`)
    const replyPath = `${postPath}/comment/${reply.internalId}`
    expect(new Set(pathsOf(queue.body.comments))).toEqual(
      new Set([commentPath, replyPath, `${communityPath}/post/${child.internalId}/comment/${onChild.internalId}`]),
    )
    expect(pathsOf(queue.body.commentChildren)).toEqual([replyPath])
  })

  test('posts on the feed of a user, and comments on them', async () => {
    const owner = await make.user()
    const { userId } = owner
    const post = await prisma.post.create({
      data: { postId: `own-${userId}`, targetType: 'user', targetId: userId, postedUserId: userId },
    })
    const comment = await prisma.comment.create({
      data: {
        commentId: `on-${userId}`,
        userId,
        targetType: 'user',
        targetId: userId,
        referenceType: 'post',
        referenceId: post.postId,
      },
    })
    const path = `${NET}/user/${owner.internalId}/post/${post.internalId}`
    expect(pathsOf((await read(`/api/v3/posts/${post.postId}`)).body.posts)).toEqual([path])
    expect(pathsOf((await read(`/api/v3/comments/${comment.commentId}`)).body.comments)).toEqual([
      `${path}/comment/${comment.internalId}`,
    ])
  })

  test('comments on a deleted post keep their path; without a post, they are in their community', async () => {
    const { community, post, comment, communityPath } = await forum()
    const pathOf = async (id: string) => pathsOf((await read(`/api/v3/comments/${id}`)).body.comments)
    await prisma.post.update({ where: { postId: post.postId }, data: { isDeleted: true } })
    expect(await pathOf(comment.commentId)).toEqual([
      `${communityPath}/post/${post.internalId}/comment/${comment.internalId}`,
    ])

    await prisma.post.delete({ where: { postId: post.postId } })
    expect(await pathOf(comment.commentId)).toEqual([`${communityPath}/comment/${comment.internalId}`])

    const story = await make.heldComment({ communityId: community.communityId })
    await prisma.comment.update({
      where: { commentId: story.commentId },
      data: { referenceType: 'story', referenceId: post.postId },
    })
    expect(await pathOf(story.commentId)).toEqual([`${communityPath}/comment/${story.internalId}`])
  })

  test('in events and in join requests', async () => {
    const { communityId, internalId } = await make.community()
    const author = await make.user()
    await make.member({ communityId, userId: author.userId })
    const body = { targetType: 'community', targetId: communityId, data: { text: 'Some words' } }
    const answer = await call('POST', '/api/v3/posts', { token: await tokenOf(author.userId), body })
    const event = await prisma.event.findFirstOrThrow({ where: { subjectId: answer.body.posts[0].postId } })
    expect(event.payload).toMatchObject({
      posts: [{ path: `${NET}/social/community/${internalId}/post/${answer.body.posts[0]._id}` }],
      users: [{ path: `${NET}/user/${author.internalId}` }],
    })

    const gated = await make.community()
    await prisma.community.update({ where: { communityId: gated.communityId }, data: { requiresJoinApproval: true } })
    const asked = await call('POST', `/api/v4/communities/${gated.communityId}/join`, {
      token: await tokenOf(author.userId),
    })
    expect(asked.body.joinRequests).toMatchObject([{ networkId: NET }])
  })
})

describe('users of an answer are everyone its records refer to', () => {
  const idsOf = (users: unknown) => (users as { userId: string }[]).map(({ userId }) => userId).toSorted()

  test('in the review queue: authors, and people mentioned in comments and replies by any form of their ids', async () => {
    const { community, comment } = await forum()
    const { communityId } = community
    const [named, byPublicId, byInternalId, inReply] = await Promise.all([
      make.user(),
      make.user(),
      make.user(),
      make.user(),
    ])
    const reply = await make.heldComment({ communityId, parentId: comment.commentId, approvalStatus: null })
    const mention = (commentId: string, mentionees: object[]) =>
      prisma.comment.update({ where: { commentId }, data: { mentionees } })
    await mention(comment.commentId, [
      { type: 'user', userIds: [named.userId, 'nobody', comment.userId] },
      { type: 'user', userPublicIds: [byPublicId.userId] },
      { type: 'user', userInternalIds: [byInternalId.internalId] },
    ])
    await mention(reply.commentId, [{ type: 'user', userIds: [inReply.userId] }])

    const { body } = await read(`/api/v3/communities/${communityId}/comments/review-queue`)
    const mentioned = [named, byPublicId, byInternalId, inReply].map((user) => user.userId)
    expect(idsOf(body.users)).toEqual([comment.userId, reply.userId, ...mentioned].toSorted())
    // People who are only mentioned are not authors, so their membership is not included.
    expect(body.communityUsers).toEqual([])
  })

  test('reads the review queue in one statement, whomever its comments mention', async () => {
    const { community, comment } = await forum()
    const statements = async () => {
      const asked = vi.spyOn(database.pool, 'query')
      const { users } = await listReviewQueue(
        { ...ctx, actor: asAdmin() },
        { communityId: community.communityId, timeZone: 'UTC', options: { limit: 10, skip: 0 } },
      )
      const count = asked.mock.calls.length
      asked.mockRestore()
      return { people: users.length, count }
    }
    expect(await statements()).toEqual({ people: 1, count: 1 })
    const [one, other] = await Promise.all([make.user(), make.user()])
    await prisma.comment.update({
      where: { commentId: comment.commentId },
      data: {
        mentionees: [
          { type: 'user', userIds: [one.userId], userInternalIds: [other.internalId] },
          { type: 'user', userInternalIds: [other.internalId] },
        ],
      },
    })
    expect(await statements()).toEqual({ people: 3, count: 1 })
  })

  test('of posts and their attachments: who shared them, and who is mentioned', async () => {
    const { post, child, community } = await forum()
    const [sharer, mentioned, inChild] = await Promise.all([make.user(), make.user(), make.user()])
    await prisma.post.update({
      where: { postId: post.postId },
      data: { sharedUserId: sharer.userId, mentionees: [{ type: 'user', userIds: [mentioned.userId] }] },
    })
    await prisma.post.update({
      where: { postId: child.postId },
      data: { mentionees: [{ type: 'user', userIds: [inChild.userId] }] },
    })
    const [maker] = await Promise.all([make.user()])
    await prisma.community.update({
      where: { communityId: community.communityId },
      data: { userId: maker.userId },
    })
    const { body } = await read(`/api/v3/posts/${post.postId}`)
    expect(idsOf(body.users)).toEqual(
      [post.postedUserId, ...[sharer, mentioned, inChild, maker].map((user) => user.userId)].toSorted(),
    )
  })

  test('of messages: who is mentioned, who reacted last, and who made their feed', async () => {
    const channel = await make.channel()
    const { channelId } = channel
    const [mentioned, reactor, maker] = await Promise.all([make.user(), make.user(), make.user()])
    const reader = await make.channelUser({ channelId })
    const messageFeedId = `feed-${channelId}`
    await prisma.messageFeed.create({ data: { messageFeedId, channelId, creatorId: maker.userId } })
    const message = await make.message({
      channelId,
      messageFeedId,
      data: { text: 'referredwords' },
      mentionees: [{ type: 'user', userIds: [mentioned.userId] }],
      latestReaction: { userId: reactor.userId },
    })
    const everybody = [message.userId, ...[mentioned, reactor, maker].map((user) => user.userId)].toSorted()
    const token = await tokenOf(reader.userId)

    expect(idsOf((await read(`/api/v5/messages?messageFeedId=${messageFeedId}`, token)).body.users)).toEqual(everybody)
    expect(idsOf((await read('/api/v2/search/messages?query=referredwords', token)).body.data.users)).toEqual(everybody)

    await prisma.messageFeed.update({ where: { messageFeedId }, data: { messagePreviewId: null } })
    const feeds = await read(`/api/v5/message-feeds/channel/${channelId}`, token)
    expect(idsOf(feeds.body.users)).toEqual([maker.userId])
  })

  test('of channels: who pinned a message, for those who may read it', async () => {
    const channel = await make.channel({ isPublic: false })
    const { channelId } = channel
    const [pinner] = await Promise.all([make.user()])
    const reader = await make.channelUser({ channelId })
    const message = await make.message({ channelId })
    await prisma.channel.update({
      where: { channelId },
      data: { pinnedMessageId: message.messageId, pinnedBy: pinner.userId },
    })
    const { body } = await read(`/api/v3/channels/${channelId}`, await tokenOf(reader.userId))
    expect(idsOf(body.users)).toEqual([reader.userId, message.userId, pinner.userId].toSorted())
  })

  test('of an answered join request: who asked and who answered', async () => {
    const { communityId } = await make.community()
    await prisma.community.update({ where: { communityId }, data: { requiresJoinApproval: true } })
    const reviewer = await make.reviewerOf(communityId)
    const asker = await make.user()
    const path = `/api/v4/communities/${communityId}/join`
    await call('POST', path, { token: await tokenOf(asker.userId) })
    const token = await tokenOf(reviewer.userId)
    await call('POST', `${path}/approve`, { token, body: { userId: asker.userId } })
    const { body } = await read(`${path}?status=approved`, token)
    expect(idsOf(body.users)).toEqual([asker.userId, reviewer.userId].toSorted())
  })

  test('of post events: hosts of streams and rooms, and their guests', async () => {
    const { post } = await forum()
    const [host, guest, streamer] = await Promise.all([make.user(), make.user(), make.user()])
    await importRecords(ctx, [
      {
        type: 'room',
        roomId: `room-${post.postId}`,
        referenceType: 'post',
        referenceId: post.postId,
        createdBy: host.userId,
        participants: [{ type: 'user', userId: guest.userId }],
      },
      { type: 'stream', streamId: `stream-${post.postId}`, postId: post.postId, userId: streamer.userId },
    ])
    const payload = await postPayload(ctx, post.postId)
    const { internalId } = await prisma.room.findUniqueOrThrow({ where: { roomId: `room-${post.postId}` } })
    expect(pathsOf(payload.rooms)).toEqual([`${NET}/room/${internalId}`])
    expect(idsOf(payload.users)).toEqual(
      [post.postedUserId, ...[host, guest, streamer].map((user) => user.userId)].toSorted(),
    )
  })
})
