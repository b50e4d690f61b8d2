import { describe, expect, test } from 'vitest'
import { Room } from '#server/modules/content/rooms/schema.ts'
import { VideoStreaming } from '#server/modules/content/streams/schema.ts'
import { importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()

async function space(
  over: { isPublic?: boolean; needApprovalOnPostCreation?: boolean; onlyAdminCanPost?: boolean } = {},
) {
  const { communityId } = await make.community()
  await prisma.category.create({ data: { categoryId: `category-${communityId}`, name: 'Things' } })
  await prisma.community.update({ where: { communityId }, data: { ...over, categoryIds: [`category-${communityId}`] } })
  const author = await make.user({ displayName: 'An author' })
  await make.member({ communityId, userId: author.userId })
  const reviewer = await make.reviewerOf(communityId)
  return {
    communityId,
    authorId: author.userId,
    author: await tokenOf(author.userId),
    reviewer: await tokenOf(reviewer.userId),
    stranger: await tokenOf((await make.user()).userId),
  }
}

const write = (token: string, communityId: string, over: object = {}) =>
  call('POST', '/api/v4/posts', {
    token,
    body: { targetType: 'community', targetId: communityId, data: { text: 'Some words' }, ...over },
  })
const listOf = (token: string, communityId: string, query = '', version = 'v4') =>
  call('GET', `/api/${version}/posts?targetType=community&targetId=${communityId}${query}`, { token })
const idsOf = ({ body }: { body: { posts: { postId: string }[] } }) => body.posts.map((post) => post.postId)
const codeOf = ({ status, body }: { status: number; body: { code?: number } }) => [status, body.code]
const FORBIDDEN = [403, 400300]
const NOT_FOUND = [404, 400400]
const INVALID = [422, 500000]

async function countOf(kind: 'community_posts' | 'feed_posts', subjectId: string) {
  const { _sum } = await prisma.tallyDelta.aggregate({ where: { kind, subjectId }, _sum: { delta: true } })
  return _sum.delta ?? 0
}
const eventsOf = (subjectId: string) =>
  prisma.event.findMany({
    where: { subjectId },
    orderBy: { eventId: 'asc' },
    select: { name: true, isDeskOnly: true, payload: true },
  })

describe('writing', () => {
  test('everyone sees a member’s post with its author, community, category, feed, attachments and latest comments', async () => {
    const { communityId, author, authorId, stranger } = await space()
    await prisma.file.create({ data: { fileId: `file-${communityId}`, type: 'image' } })
    const { status, body } = await write(author, communityId, {
      tags: ['t'],
      hashtags: ['h'],
      metadata: { a: 1 },
      mentionees: [{ type: 'user', userIds: [authorId] }],
      attachments: [
        { type: 'image', fileId: `file-${communityId}` },
        { type: 'video', fileId: 'other' },
      ],
    })

    expect(status).toBe(200)
    const [post] = body.posts
    expect(post).toMatchObject({
      postedUserId: authorId,
      targetType: 'community',
      targetId: communityId,
      targetPublicId: communityId,
      dataType: 'text',
      structureType: 'mixed',
      data: { text: 'Some words' },
      metadata: { a: 1 },
      tags: ['t'],
      hashtags: ['h'],
      commentsCount: 0,
      childrenNumber: 2,
      children: body.postChildren.map((child: { postId: string }) => child.postId),
    })
    expect(Object.values(post)).not.toContain(null)
    expect([post, ...body.postChildren].map(({ editedAt }) => editedAt)).toEqual(
      [post, ...body.postChildren].map(({ createdAt }) => createdAt),
    )
    expect(body.postChildren).toMatchObject([
      { parentPostId: post.postId, dataType: 'image', data: { fileId: `file-${communityId}` } },
      { parentPostId: post.postId, dataType: 'video' },
    ])
    expect(body.feeds).toMatchObject([
      { feedId: post.feedId, feedType: 'published', targetId: communityId, postCount: 1 },
    ])
    expect(body.communities).toMatchObject([{ communityId, postsCount: 1, isJoined: true }])
    expect(body.categories).toMatchObject([{ name: 'Things' }])
    expect(body.communityUsers).toMatchObject([{ userId: authorId, communityId }])
    expect(body.users).toMatchObject([{ userId: authorId }])
    expect(body.files).toMatchObject([{ fileId: `file-${communityId}` }])
    expect((await eventsOf(post.postId)).map((event) => event.name)).toEqual(['v3.post.didCreate'])

    const comment = await call('POST', '/api/v3/comments', {
      token: author,
      body: { referenceType: 'post', referenceId: post.postId, data: { text: 'First' } },
    })
    const [{ commentId }] = comment.body.comments
    expect(comment.body.comments[0].approvalStatus).toBe('pending')
    const seen = async () => (await call('GET', `/api/v3/posts/${post.postId}`, { token: stranger })).body
    expect(await seen()).toMatchObject({ posts: [{ comments: [], commentsCount: 0 }], comments: [] })
    await call('POST', `/api/v3/comments/${commentId}/approve`, { token: admin })
    expect(await seen()).toMatchObject({
      posts: [{ comments: [commentId], commentsCount: 1 }],
      comments: [{ commentId }],
    })
    expect(idsOf(await listOf(stranger, communityId))).toEqual([post.postId])
    expect(idsOf(await listOf(stranger, communityId, '&matchingOnlyParentPost=false'))).toHaveLength(3)
  })

  test.each([
    'v3',
    'v4',
  ])('creates and edits a post over %s, as the oldest client and the newer ones do', async (version) => {
    const { communityId, author, authorId } = await space()
    // The oldest client omits `dataType`.
    const body = { targetType: 'community', targetId: communityId, data: { text: 'Some words' }, metadata: { a: 1 } }
    const made = await call('POST', `/api/${version}/posts`, { token: author, body })
    expect(made).toMatchObject({
      status: 200,
      body: {
        posts: [
          { postedUserId: authorId, targetId: communityId, dataType: 'text', data: body.data, metadata: { a: 1 } },
        ],
        postChildren: [],
        comments: [],
        users: [{ userId: authorId }],
        files: [],
        communities: [{ communityId }],
        communityUsers: [{ userId: authorId }],
        categories: [{ name: 'Things' }],
        feeds: [{ feedType: 'published' }],
      },
    })
    const [postId] = idsOf(made)
    const edited = await call('PUT', `/api/${version}/posts/${postId}`, {
      token: author,
      body: { data: { text: 'Others' } },
    })
    expect(edited).toMatchObject({
      status: 200,
      body: { posts: [{ postId, data: { text: 'Others' }, metadata: { a: 1 } }] },
    })
    expect((await call('GET', `/api/v3/posts/${postId}`, { token: author })).body).toEqual(edited.body)
  })

  test('everyone has their own feed, and no one else can write on it', async () => {
    const { author, authorId, stranger } = await space()
    const post = { targetType: 'user', targetId: authorId, data: { text: 'Mine' } }
    const made = await call('POST', '/api/v4/posts', { token: author, body: post })
    expect(made.body).toMatchObject({
      posts: [{ targetType: 'user', targetId: authorId }],
      feeds: [{ targetType: 'user' }],
    })
    expect(codeOf(await call('POST', '/api/v4/posts', { token: stranger, body: post }))).toEqual(FORBIDDEN)
    const list = await call('GET', `/api/v5/posts?targetType=user&targetId=${authorId}`, { token: stranger })
    expect(idsOf(list)).toEqual(idsOf(made))
  })

  test('rejects strangers, banned members, members of moderator-only communities, deleted spaces and admin tokens', async () => {
    const open = await space({ onlyAdminCanPost: true })
    const closed = await space({ isPublic: false })
    const banned = await make.user()
    await make.member({ communityId: closed.communityId, userId: banned.userId, membership: 'banned' })

    expect(codeOf(await write(open.stranger, open.communityId))).toEqual(FORBIDDEN)
    expect(codeOf(await write(open.author, open.communityId))).toEqual(FORBIDDEN)
    expect((await write(open.reviewer, open.communityId)).status).toBe(200)
    expect(codeOf(await write(open.stranger, closed.communityId))).toEqual(NOT_FOUND)
    expect(codeOf(await write(await tokenOf(banned.userId), closed.communityId))).toEqual([403, 400304])
    expect(codeOf(await write(open.author, 'no-such-place'))).toEqual(NOT_FOUND)
    expect(codeOf(await write(admin, open.communityId))).toEqual(FORBIDDEN)
    await prisma.community.update({ where: { communityId: closed.communityId }, data: { isDeleted: true } })
    expect(codeOf(await write(closed.author, closed.communityId))).toEqual(FORBIDDEN)
  })

  test('rejects posts and edits that the block-list and allow-list exclude', async () => {
    const { communityId, author } = await space()
    await call('POST', '/api/v3/blocklists', { token: admin, body: { regexs: ['forbiddenword'] } })
    expect(codeOf(await write(author, communityId, { data: { title: 'Forbiddenword' } }))).toEqual([403, 400308])
    expect(codeOf(await write(author, communityId, { tags: ['forbiddenword'] }))).toEqual([403, 400308])
    const [postId] = idsOf(await write(author, communityId))
    const edit = await call('PUT', `/api/v4/posts/${postId}`, {
      token: author,
      body: { data: { text: 'forbiddenword' } },
    })
    expect(codeOf(edit)).toEqual([403, 400308])
  })

  const attachments = (count: number) => ({
    attachments: Array.from({ length: count }, (_, index) => ({ type: 'image', fileId: `f${index}` })),
  })
  test.each<[string, object, number]>([
    ['20,000 characters', { data: { text: 'x'.repeat(20_000) } }, 200],
    ['20,001 characters', { data: { text: 'x'.repeat(20_001) } }, 422],
    ['ten attachments', attachments(10), 200],
    ['eleven attachments', attachments(11), 422],
    ['nothing at all', { data: {} }, 422],
    ['a tag of 100 characters', { tags: ['t'.repeat(100)] }, 200],
    ['a tag of 101 characters', { tags: ['t'.repeat(101)] }, 422],
    ['a hundred tags', { tags: Array.from({ length: 100 }, (_, index) => `t${index}`) }, 200],
    ['a hundred and one tags', { tags: Array.from({ length: 101 }, (_, index) => `t${index}`) }, 422],
    ['U+0000 within', { data: { custom: ['\0'] } }, 422],
    ['another target type', { targetType: 'page' }, 422],
  ])('answers %s', async (_what, over, status) => {
    const { communityId, author } = await space()
    expect((await write(author, communityId, over)).status).toBe(status)
  })
})

describe('a community that reviews posts', () => {
  test('holds a member’s: only its author and reviewers see it; publishes a reviewer’s own', async () => {
    const { communityId, author, reviewer, stranger } = await space({ needApprovalOnPostCreation: true })
    const held = await write(author, communityId, { attachments: [{ type: 'image', fileId: 'f' }] })
    const [heldId] = idsOf(held)
    const [publishedId] = idsOf(await write(reviewer, communityId))

    expect(held.body.feeds).toMatchObject([{ feedType: 'reviewing', postCount: 1 }])
    expect(await countOf('community_posts', communityId)).toBe(1)
    expect(await eventsOf(heldId ?? '')).toEqual([
      { name: 'desk.post.didHold', isDeskOnly: true, payload: { postId: heldId } },
    ])
    const reviewing = async (token: string, version = 'v4') =>
      idsOf(await listOf(token, communityId, '&feedType=reviewing&isDeleted=false', version))
    for (const version of ['v3', 'v4', 'v5']) expect(await reviewing(reviewer, version)).toEqual([heldId])
    expect(await reviewing(admin)).toEqual([heldId])
    expect(await reviewing(author)).toEqual([heldId])
    expect(await reviewing(stranger)).toEqual([])
    expect(idsOf(await listOf(reviewer, communityId))).toEqual([publishedId])
    expect(codeOf(await call('GET', `/api/v3/posts/${heldId}`, { token: stranger }))).toEqual(NOT_FOUND)
    expect((await call('GET', `/api/v3/posts/${heldId}`, { token: author })).status).toBe(200)
  })

  test('shows authors how many of their own are held, and not how many of others', async () => {
    const { communityId, author, reviewer } = await space({ needApprovalOnPostCreation: true })
    const other = await make.user()
    await make.member({ communityId, userId: other.userId })
    await write(await tokenOf(other.userId), communityId)
    const [postId] = idsOf(await write(author, communityId))
    const seen = async (token: string) =>
      (await call('GET', `/api/v3/posts/${postId}`, { token })).body.feeds.map(
        (feed: { postCount: number }) => feed.postCount,
      )
    expect([await seen(author), await seen(reviewer)]).toEqual([[1], [2]])
  })

  test('an approved post is published with its attachments, counted, and its event has thirteen arrays', async () => {
    const { communityId, author, authorId, reviewer, stranger } = await space({ needApprovalOnPostCreation: true })
    const [postId] = idsOf(await write(author, communityId, { attachments: [{ type: 'image', fileId: 'f' }] }))

    const approved = await call('POST', `/api/v3/posts/${postId}/approve`, { token: reviewer })
    expect([approved.status, idsOf(approved)]).toEqual([200, [postId]])
    expect(approved.body).toMatchObject({
      postChildren: [{ parentPostId: postId }],
      feeds: [{ feedType: 'published' }],
    })
    expect(Object.keys(approved.body)).toContain('communityUsers')
    expect(idsOf(await listOf(stranger, communityId))).toEqual([postId])
    expect(await countOf('community_posts', communityId)).toBe(1)
    const feeds = await prisma.feed.findMany({ where: { targetId: communityId } })
    const counts = await Promise.all(
      feeds.map(async ({ feedType, feedId }) => [feedType, await countOf('feed_posts', feedId)]),
    )
    expect(counts.toSorted()).toEqual([
      ['published', 1],
      ['reviewing', 0],
    ])

    const payload = (await eventsOf(postId ?? '')).at(-1)
    expect(payload).toMatchObject({
      name: 'v3.post.didApprove',
      isDeskOnly: false,
      payload: { posts: [{ postId, postedUserId: authorId }], users: [{ userId: authorId }] },
    })
    expect(Object.keys(Object(payload?.payload)).toSorted()).toEqual(
      [
        'posts',
        'postChildren',
        'comments',
        'users',
        'files',
        'communities',
        'communityUsers',
        'categories',
        'feeds',
        'videoStreamings',
        'videoStreamingChildren',
        'rooms',
        'roomChildrens',
      ].toSorted(),
    )
    expect(await prisma.decision.findMany({ where: { subjectId: postId } })).toMatchObject([
      { subjectType: 'post', outcome: 'approved', authorId, version: 2 },
    ])
    expect(await prisma.audit.count({ where: { subjectId: postId, action: 'post.approved' } })).toBe(1)
  })

  test('the event has streams and rooms with all their fields, their parts, and who runs them', async () => {
    const { communityId, author, reviewer } = await space({ needApprovalOnPostCreation: true })
    const [postId = ''] = idsOf(
      await write(author, communityId, { data: { text: 'Live', streamId: `shown-${communityId}` } }),
    )
    const host = await make.user()
    const picture = `picture-${communityId}`
    await prisma.file.create({ data: { fileId: picture, type: 'image' } })
    const streams = {
      userId: host.userId,
      thumbnailFileId: picture,
      title: 'On air',
      recordings: [{ mp4: { url: 'https://a.example' } }],
    }
    const at = new Date('2026-01-01T00:00:00Z')
    await prisma.stream.createMany({
      data: [
        {
          ...streams,
          streamId: `of-${postId}`,
          postId,
          status: 'recorded',
          startedAt: at,
          endedAt: at,
          platform: { name: 'web' },
          createdAt: at,
        },
        { streamId: `shown-${communityId}`, childStreamIds: [`named-${postId}`] },
        { streamId: `part-${postId}`, parentStreamId: `of-${postId}` },
        { streamId: `named-${postId}` },
        { streamId: `gone-${postId}`, postId, isDeleted: true },
        { streamId: `other-${postId}` },
      ],
    })
    await prisma.room.createMany({
      data: [
        {
          roomId: `of-${postId}`,
          referenceType: 'post',
          referenceId: postId,
          createdBy: host.userId,
          liveAt: at,
          durationSeconds: 9,
          createdAt: at,
        },
        { roomId: `part-${postId}`, parentRoomId: `of-${postId}`, status: 'live' },
        { roomId: `other-${postId}`, referenceType: 'story', referenceId: postId },
      ],
    })
    expect((await call('POST', `/api/v3/posts/${postId}/approve`, { token: reviewer })).status).toBe(200)

    const payload = (await eventsOf(postId)).at(-1)?.payload as Record<string, Record<string, unknown>[]>
    const ids = (name: string, id: string) => payload[name]?.map((one) => one[id])
    expect(ids('videoStreamings', 'streamId')).toEqual([`of-${postId}`, `shown-${communityId}`])
    expect(ids('videoStreamingChildren', 'streamId')?.toSorted()).toEqual([`named-${postId}`, `part-${postId}`])
    expect(ids('rooms', 'roomId')).toEqual([`of-${postId}`])
    expect(ids('roomChildrens', 'roomId')).toEqual([`part-${postId}`])
    expect(ids('users', 'userId')).toContain(host.userId)
    expect(ids('files', 'fileId')).toContain(picture)
    expect(payload.videoStreamings?.[0]).toEqual({
      streamId: `of-${postId}`,
      postId,
      userId: host.userId,
      userPublicId: host.userId,
      userInternalId: host.internalId,
      thumbnailFileId: picture,
      title: 'On air',
      status: 'recorded',
      isLive: false,
      isDeleted: false,
      channelEnabled: false,
      isParent: false,
      platform: { name: 'web' },
      startedAt: at.toISOString(),
      endedAt: at.toISOString(),
      createdAt: at.toISOString(),
      updatedAt: expect.any(String),
      recordings: streams.recordings,
      childStreamIds: [],
    })
    expect(payload.rooms?.[0]).toMatchObject({
      createdBy: host.userId,
      creatorInternalId: host.internalId,
      liveAt: at.toISOString(),
    })
    for (const room of [...(payload.rooms ?? []), ...(payload.roomChildrens ?? [])])
      expect(Room.strict().parse(room)).toEqual(room)
    for (const stream of [...(payload.videoStreamings ?? []), ...(payload.videoStreamingChildren ?? [])])
      expect(VideoStreaming.strict().parse(stream)).toEqual(stream)
  })

  test('a declined post is in the declined feed of its author and the reviewers, and a second decision is 409', async () => {
    const { communityId, author, reviewer, stranger } = await space({ needApprovalOnPostCreation: true })
    const [postId] = idsOf(await write(author, communityId))
    const decide = (verb: string, body?: unknown) =>
      call('POST', `/api/v3/posts/${postId}/${verb}`, { token: reviewer, ...(body !== undefined && { body }) })

    expect(codeOf(await decide('decline', { reason: 'r'.repeat(251) }))).toEqual(INVALID)
    expect((await decide('decline', { reason: 'r'.repeat(250) })).body.feeds).toMatchObject([{ feedType: 'declined' }])
    expect((await eventsOf(postId ?? '')).at(-1)).toMatchObject({ name: 'v3.post.didDecline' })
    for (const [token, seen] of [
      [author, [postId]],
      [reviewer, [postId]],
      [stranger, []],
    ] as const) {
      expect(idsOf(await listOf(token, communityId, '&feedType=declined'))).toEqual(seen)
    }
    const again = await decide('approve')
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 400409, data: { decision: 'rejected', version: 2 } },
    ])
    expect(await countOf('community_posts', communityId)).toBe(0)
  })
})

describe('held posts of every community', () => {
  test('are listed for admins who review posts everywhere, latest held first, and for nobody else', async () => {
    const [one, two] = [
      await space({ needApprovalOnPostCreation: true }),
      await space({ needApprovalOnPostCreation: true, isPublic: false }),
    ]
    const held = [
      ...idsOf(await write(one.author, one.communityId)),
      ...idsOf(await write(two.author, two.communityId)),
      ...idsOf(await write(one.author, one.communityId)),
    ]
    const published = idsOf(await write(one.reviewer, one.communityId))
    const list = (token: string, query = '', version = 'v4') =>
      call('GET', `/api/${version}/posts?targetType=all&feedType=reviewing&isDeleted=false${query}`, { token })
    for (const version of ['v3', 'v4', 'v5']) {
      const ids = idsOf(await list(admin, '&options[limit]=100', version))
      expect(ids.filter((id) => held.includes(id))).toEqual(held.toReversed())
      expect(ids).not.toContain(published[0])
    }
    const first = await list(admin, '&options[limit]=1')
    const next = await list(admin, `&options[limit]=1&options[token]=${encodeURIComponent(first.body.paging.next)}`)
    expect([...idsOf(first), ...idsOf(next)]).toEqual([held[2], held[1]])
    expect(idsOf(await list(await adminTokenOf(database, 'moderator')))).toContain(held[0])
    for (const token of [one.author, one.reviewer, await adminTokenOf(database, 'support')]) {
      expect(codeOf(await list(token))).toEqual(FORBIDDEN)
    }
    expect(codeOf(await call('GET', '/api/v4/posts?targetType=all', { token: admin }))).toEqual(INVALID)
    expect(codeOf(await call('GET', '/api/v4/posts?targetType=community', { token: admin }))).toEqual(INVALID)
  })
})

describe('imported posts', () => {
  test('without a feed of their own are in the feed of their target, the one that later posts there are in', async () => {
    const { communityId, author, authorId, reviewer } = await space()
    const target = { targetType: 'community' as const, targetId: communityId, postedUserId: authorId }
    const id = (name: string) => `${name}-${communityId}`
    const { refused } = await importRecords(systemCtx(database), [
      { type: 'post', postId: id('published'), data: { text: 'Imported' }, ...target },
      { type: 'post', postId: id('held'), feedType: 'reviewing', data: { text: 'Imported' }, ...target },
      { type: 'post', postId: id('own'), targetType: 'user', targetId: authorId, postedUserId: authorId },
    ])
    expect(refused).toBe(0)
    const written = await write(author, communityId)
    const [{ feedId }] = written.body.posts
    expect(written.body.feeds).toMatchObject([{ feedId, feedType: 'published', postCount: 2 }])

    const listed = await listOf(author, communityId)
    expect(idsOf(listed).toSorted()).toEqual([...idsOf(written), id('published')].toSorted())
    expect(listed.body.posts).toMatchObject([{ feedId }, { feedId }])
    expect(listed.body.feeds).toMatchObject([{ feedId, targetId: communityId, postCount: 2 }])
    expect((await listOf(reviewer, communityId, '&feedType=reviewing')).body).toMatchObject({
      posts: [{ postId: id('held') }],
      feeds: [{ targetId: communityId, feedType: 'reviewing', postCount: 1 }],
    })
    const own = await call('GET', `/api/v4/posts?targetType=user&targetId=${authorId}`, { token: author })
    expect(own.body).toMatchObject({ posts: [{ postId: id('own') }], feeds: [{ targetId: authorId, postCount: 1 }] })
    expect(own.body.posts[0].feedId).toBe(own.body.feeds[0].feedId)
  })

  test('are in the feed that was imported for their target, where one was', async () => {
    const { communityId, author, authorId } = await space()
    const feedId = `imported-${communityId}`
    const target = { targetType: 'community' as const, targetId: communityId }
    await importRecords(systemCtx(database), [
      { type: 'post', postId: `post-${communityId}`, postedUserId: authorId, ...target },
      { type: 'feed', feedId, ...target, createdAt: '2020-01-01T00:00:00Z' },
    ])
    const written = await write(author, communityId)
    expect(written.body.posts).toMatchObject([{ feedId }])
    const listed = await listOf(author, communityId)
    expect(listed.body.posts).toMatchObject([{ feedId }, { feedId }])
    expect(listed.body.feeds).toMatchObject([{ feedId, postCount: 2 }])
  })
})

describe('editing, deleting and flags', () => {
  test('editedAt is when a post was written until its words change, in answers, lists and events', async () => {
    const { communityId, author, stranger } = await space()
    const made = await write(author, communityId)
    const [postId = ''] = idsOf(made)
    const [{ createdAt }] = made.body.posts
    const seen = async () => [
      (await call('GET', `/api/v3/posts/${postId}`, { token: stranger })).body.posts[0],
      (await listOf(stranger, communityId)).body.posts[0],
    ]
    const flagged = await call('POST', `/api/v3/posts/${postId}/flag`, { token: stranger })
    expect(flagged.body.posts).toMatchObject([{ flagCount: 1, editedAt: createdAt }])
    expect(await seen()).toMatchObject([{ editedAt: createdAt }, { editedAt: createdAt }])
    const [{ payload } = { payload: null }] = await eventsOf(postId)
    expect(payload).toMatchObject({ posts: [{ createdAt, editedAt: createdAt }] })

    const edited = await call('PUT', `/api/v4/posts/${postId}`, { token: author, body: { data: { text: 'New' } } })
    const [{ editedAt }] = edited.body.posts
    expect(Date.parse(editedAt)).toBeGreaterThan(Date.parse(createdAt))
    expect(await seen()).toMatchObject([{ editedAt }, { editedAt }])
  })

  test('require the author or a moderator', async () => {
    const { communityId, author, authorId, reviewer, stranger } = await space()
    const [postId] = idsOf(await write(author, communityId, { tags: ['t'] }))
    const edit = (token: string, body: object = { data: { text: 'New' } }) =>
      call('PUT', `/api/v4/posts/${postId}`, { token, body })
    expect(codeOf(await edit(stranger))).toEqual(FORBIDDEN)
    expect((await edit(author)).body.posts).toMatchObject([
      { data: { text: 'New' }, tags: ['t'], editedAt: expect.any(String) },
    ])
    expect((await edit(reviewer, { tags: [] })).body.posts).toMatchObject([{ tags: [], data: { text: 'New' } }])
    await prisma.communityUser.updateMany({ where: { communityId, userId: authorId }, data: { membership: 'banned' } })
    expect(codeOf(await edit(author))).toEqual([403, 400304])
  })

  test('a deleted post still answers by its id with its attachments, but is no longer counted; an erased one does not', async () => {
    const { communityId, author, reviewer, stranger } = await space()
    const made = await write(author, communityId, { attachments: [{ type: 'image', fileId: 'f' }] })
    const [postId] = idsOf(made)
    const remove = (token: string, permanent: boolean) =>
      call('DELETE', `/api/v4/posts/${postId}?postId=${postId}&permanent=${permanent}`, { token })

    expect(codeOf(await remove(stranger, false))).toEqual(FORBIDDEN)
    expect((await remove(reviewer, false)).body).toEqual({ success: true })
    expect((await remove(author, false)).body).toEqual({ success: true })
    const seen = await call('GET', `/api/v3/posts/${postId}`, { token: stranger })
    expect(seen.body).toMatchObject({ posts: [{ isDeleted: true }], postChildren: [{ isDeleted: true }] })
    expect(await countOf('community_posts', communityId)).toBe(0)
    expect(await countOf('feed_posts', made.body.feeds[0].feedId)).toBe(0)
    expect(idsOf(await listOf(stranger, communityId, '&isDeleted=false'))).toEqual([])
    expect(idsOf(await listOf(stranger, communityId, '&isDeleted=true'))).toEqual([postId])
    expect((await remove(author, true)).body).toEqual({ success: true })
    expect(codeOf(await call('GET', `/api/v3/posts/${postId}`, { token: author }))).toEqual(NOT_FOUND)
    expect(await prisma.post.count({ where: { parentPostId: postId } })).toBe(0)
  })

  test('flags count once per person, mark the community and the parent, and disappear when withdrawn or cleared', async () => {
    const { communityId, author, reviewer, stranger } = await space()
    const made = await write(author, communityId, { attachments: [{ type: 'image', fileId: 'f' }] })
    const childId = made.body.postChildren[0].postId
    const path = `/api/v3/posts/${childId}`
    const marks = async () => [
      (await prisma.post.findUniqueOrThrow({ where: { postId: idsOf(made)[0] ?? '' } })).hasFlaggedChildren,
      (await prisma.community.findUniqueOrThrow({ where: { communityId } })).hasFlaggedPost,
    ]
    const flagged = await call('POST', `${path}/flag`, { token: stranger, body: { reason: 'Others' } })
    expect(flagged.body.posts).toMatchObject([{ flagCount: 1, hashFlag: {} }])
    await call('POST', `${path}/flag`, { token: stranger })
    expect((await call('POST', `${path}/flag`, { token: author })).body.posts).toMatchObject([{ flagCount: 2 }])
    expect(await marks()).toEqual([true, true])
    expect((await call('GET', `${path}/isflagbyme`, { token: stranger })).body).toEqual({ result: true })
    expect(idsOf(await listOf(stranger, communityId, '&hasFlag=true&matchingOnlyParentPost=false'))).toEqual([childId])
    expect((await call('DELETE', `${path}/unflag`, { token: stranger })).body.posts).toMatchObject([{ flagCount: 1 }])
    expect(codeOf(await call('DELETE', `${path}/flags`, { token: author }))).toEqual(FORBIDDEN)
    expect((await call('DELETE', `${path}/flags`, { token: reviewer })).body.posts[0]).not.toHaveProperty('hashFlag')
    expect(await marks()).toEqual([false, false])
    expect(codeOf(await call('POST', `${path}/flag`, { token: admin }))).toEqual(FORBIDDEN)
  })
})

describe('lists', () => {
  test('page forward and back without repeats or gaps, in both orders', async () => {
    const { communityId, authorId, stranger } = await space()
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, 9 - Math.floor(index / 3)))
      const { postId } = await make.post({ communityId, postedUserId: authorId, postId: `${communityId}-${index}` })
      await prisma.post.update({ where: { postId }, data: { createdAt } })
      ids.push(postId)
    }
    const first = await listOf(stranger, communityId, '&options[limit]=3')
    const token = (page: string) => `&options[token]=${encodeURIComponent(page)}`
    const second = await listOf(stranger, communityId, token(first.body.paging.next))
    const third = await listOf(stranger, communityId, token(second.body.paging.next))
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(ids)
    expect([first.body.paging.prev, third.body.paging.next]).toEqual([undefined, undefined])
    expect(idsOf(await listOf(stranger, communityId, token(third.body.paging.previous)))).toEqual(ids.slice(3, 6))
    expect(idsOf(await listOf(stranger, communityId, '&sortBy=firstCreated'))).toEqual(ids.toReversed())
  })

  test('hidden content is 404, 403 or empty, in every feed', async () => {
    const closed = await space({ isPublic: false })
    const [postId] = idsOf(await write(closed.author, closed.communityId))
    expect(codeOf(await listOf(closed.stranger, closed.communityId))).toEqual(NOT_FOUND)
    expect(codeOf(await listOf(closed.stranger, 'no-such-place'))).toEqual(NOT_FOUND)
    expect(codeOf(await call('GET', `/api/v3/posts/${postId}`, { token: closed.stranger }))).toEqual(NOT_FOUND)
    await prisma.community.update({ where: { communityId: closed.communityId }, data: { isDiscoverable: true } })
    expect(codeOf(await listOf(closed.stranger, closed.communityId))).toEqual(FORBIDDEN)
    expect(idsOf(await listOf(admin, closed.communityId))).toEqual([postId])
  })

  test.each([
    ['no target', '', INVALID],
    ['an unknown feed', '?targetType=community&targetId=c&feedType=all', INVALID],
    ['a limit of 101', '?targetType=user&targetId=c&options[limit]=101', INVALID],
    ['a token that does not decode', '?targetType=user&targetId=c&options[token]=!', [400, 400000]],
  ])('reject %s', async (_what, query, expected) => {
    expect(codeOf(await call('GET', `/api/v4/posts${query}`, { token: admin }))).toEqual(expected)
  })
})
