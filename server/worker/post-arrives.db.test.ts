import { afterAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { keyFor } from '#server/core/secret.ts'
import { User } from '#server/modules/accounts/users/schema.ts'
import { Comment } from '#server/modules/content/comments/schema.ts'
import { Post } from '#server/modules/content/posts/schema.ts'
import { Room } from '#server/modules/content/rooms/schema.ts'
import { VideoStreaming } from '#server/modules/content/streams/schema.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { File } from '#server/modules/media/files/schema.ts'
import { Category, Community, CommunityUser, Feed } from '#server/modules/spaces/communities/schema.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startDelivering } from '#server/worker/deliveries.ts'
import { startSequencer } from '#server/worker/sequencer.ts'

const { database, prisma } = await testDatabase()
const system = systemCtx(database)
const api = await testApi(database)
const receiver = await openReceiver()
const queue = await openDeliveryQueue(system)
const tasks = [
  startSequencer(system, keyFor('a secret for tests, long enough to be one', 'audit'), { queue }),
  startDelivering(system, { queue, key: testWebhooks.key, outside: testWebhooks }),
]
afterAll(async () => {
  await Promise.all(tasks.map((task) => task.stop()))
  await queue.close()
  await receiver.close()
})

const at = new Date('2026-01-02T03:04:05.678Z')
const metadata = { of: 'the app' }
const hashFlag = { bits: 1, hashes: 1, hash: ['a'] }
const mentionees = [{ type: 'user', userIds: ['author'], userPublicIds: ['author'], userInternalIds: ['i'] }]
const url = { url: 'rtmp://a.example', components: { origin: 'a', appName: 'b', streamName: 'c', query: 'd' } }
const recording = { url: 'https://a.example', duration: 1, startTime: 2, stopTime: 3 }

/** One of everything, with nothing left out. */
async function writeEverything(): Promise<void> {
  const fileIds = ['avatar', 'picture', 'preview', 'original', 'thumbnail']
  await prisma.file.createMany({
    data: fileIds.map((fileId) => ({
      fileId,
      fileUrl: `https://files.example/${fileId}`,
      altText: 'A picture',
      attributes: { name: 'a.png', extension: 'png', size: 1, mimeType: 'image/png', metadata: { exif: {}, gps: {} } },
    })),
  })
  await prisma.user.create({
    data: {
      userId: 'author',
      displayName: 'An author',
      profileHandle: 'author',
      description: 'Writes',
      avatarFileId: 'avatar',
      avatarCustomUrl: 'https://a.example/me.png',
      metadata,
      flagCount: 1,
      hashFlag,
    },
  })
  await prisma.category.create({ data: { categoryId: 'category', name: 'Category', avatarFileId: 'avatar', metadata } })
  await prisma.community.create({
    data: {
      communityId: 'community',
      channelId: 'channel',
      displayName: 'Community',
      userId: 'author',
      avatarFileId: 'avatar',
      description: 'A place',
      categoryIds: ['category'],
      tags: ['tag'],
      metadata,
      needApprovalOnPostCreation: true,
    },
  })
  await prisma.communityUser.create({
    data: {
      communityId: 'community',
      userId: 'author',
      membership: 'member',
      notMemberReason: 'none',
      lastActivity: at,
      lastJoin: at,
      muteTimeout: at,
    },
  })
  await prisma.feed.create({ data: { feedId: 'feed', targetId: 'community', targetType: 'community' } })
  const post = {
    postedUserId: 'author',
    sharedUserId: 'author',
    communityId: 'community',
    feedType: 'reviewing' as const,
    queuedAt: at,
    structureType: 'mixed',
    metadata,
    flagCount: 1,
    hashFlag,
    editedAt: at,
    editedBy: 'author',
    reactions: { like: 1 },
    reactionsCount: 1,
    tags: ['tag'],
    hashtags: ['hashtag'],
    mentionees,
    createdAt: at,
  }
  await prisma.post.createMany({
    data: [
      {
        ...post,
        postId: 'post',
        dataType: 'liveStream',
        data: { title: 'Title', text: 'Text', streamId: 'stream' },
        childrenNumber: 1,
      },
      {
        ...post,
        postId: 'child',
        parentPostId: 'post',
        dataType: 'video',
        data: { fileId: 'picture', thumbnailFileId: 'preview', videoFileId: { original: 'original' } },
      },
    ],
  })
  await prisma.comment.create({
    data: {
      commentId: 'comment',
      userId: 'author',
      referenceType: 'post',
      referenceId: 'post',
      targetType: 'community',
      communityId: 'community',
      dataTypes: ['text', 'image'],
      data: { text: 'Words' },
      editedBy: 'author',
      metadata,
      segmentNumber: 1,
      flagCount: 1,
      hashFlag,
      reactions: { like: 1 },
      reactionsCount: 1,
      mentionees,
      attachments: [{ type: 'image', fileId: 'picture' }],
      approvalStatus: 'approved',
      queuedAt: at,
      editedAt: at,
    },
  })
  await keepReportsOf(database, 'user', ['author'])
  await keepReportsOf(database, 'post', ['post', 'child'])
  await keepReportsOf(database, 'comment', ['comment'])
  const stream = {
    userId: 'author',
    thumbnailFileId: 'thumbnail',
    title: 'Live',
    description: 'On air',
    status: 'recorded' as const,
    moderationId: 'moderation',
    resolution: '720p',
    channelId: 'channel',
    platform: { name: 'web', version: '1' },
    startedAt: at,
    endedAt: at,
    metadata,
    streamerUrl: url,
    watcherUrl: { flv: url, hls: url, rtmp: url },
    recordings: [{ flv: recording, mp4: recording, m3u8: recording }],
  }
  await prisma.stream.createMany({
    data: [
      { ...stream, streamId: 'stream', postId: 'post', isParent: true, childStreamIds: ['part'] },
      { ...stream, streamId: 'part', parentStreamId: 'stream' },
    ],
  })
  const room = {
    type: 'co_hosts',
    targetId: 'community',
    targetType: 'community',
    liveChannelId: 'channel',
    title: 'Room',
    description: 'Talk',
    thumbnailFileId: 'thumbnail',
    livePlaybackUrl: 'https://a.example/live',
    liveThumbnailUrl: 'https://a.example/live.png',
    createdBy: 'author',
    participants: [{ type: 'host', userId: 'author', userInternalId: 'i' }],
    recordedPlaybackInfos: [{ url: 'https://a.example/r', thumbnailUrl: 'https://a.example/r.png' }],
    durationSeconds: 60,
    moderation: { flagLabels: [{ category: 'a', threshold: 0.5, detectedAt: at.toISOString() }], terminateLabels: [] },
    liveAt: at,
    endedAt: at,
    recordedAt: at,
    metadata,
  }
  await prisma.room.createMany({
    data: [
      { ...room, roomId: 'room', referenceType: 'post', referenceId: 'post', childRoomIds: ['room part'] },
      { ...room, roomId: 'room part', parentRoomId: 'room', referenceType: 'post' },
    ],
  })
}

/** What each array contains, and what no approved post can show: replies to comments, and the state of deleted rooms. */
const ARRAYS: [string[], z.ZodObject, string[]][] = [
  [['posts', 'postChildren'], Post, ['reviewReasons']],
  [['comments'], Comment, ['parentId', 'rootId', 'reviewReasons']],
  [['users'], User, []],
  [['files'], File, []],
  [['communities'], Community, []],
  [['communityUsers'], CommunityUser, []],
  [['categories'], Category, []],
  [['feeds'], Feed, []],
  [['videoStreamings', 'videoStreamingChildren'], VideoStreaming, []],
  [['rooms', 'roomChildrens'], Room, ['deletedBy', 'deletedAt']],
]

test('a post with everything arrives with all thirteen arrays filled and every field of the interface', async () => {
  await writeEverything()
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
  receiver.trust((await addEndpoint(admin, { url: receiver.url, events: ['v3.post.didApprove'] }, testWebhooks)).secret)
  const answer = await api.call('POST', '/api/v3/posts/post/approve', { token: await api.tokenOf() })
  expect(answer.status).toBe(200)
  await eventually('the post has arrived', () => receiver.accepted.length).toBe(1)

  const [arrival] = receiver.accepted
  expect(arrival?.event).toBe('v3.post.didApprove')
  const payload = arrival?.data as Record<string, Record<string, unknown>[]>
  expect(Object.keys(payload).toSorted()).toEqual(ARRAYS.flatMap(([names]) => names).toSorted())
  for (const [names, schema, neverTold] of ARRAYS) {
    for (const name of names) expect(payload[name], name).not.toEqual([])
    const all = names.flatMap((name) => payload[name] ?? [])
    for (const one of all) expect(schema.strict().safeParse(one), names.join()).toMatchObject({ success: true })
    const fields = new Set([...all.flatMap((one) => Object.keys(one)), ...neverTold])
    expect([...fields].toSorted(), names.join()).toEqual(Object.keys(schema.shape).toSorted())
  }
  expect(payload.posts?.[0]).toMatchObject({ postId: 'post', comments: ['comment'], children: ['child'] })
})
