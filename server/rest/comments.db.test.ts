import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()

/** A community with a post, a member who writes, and a reviewer. */
async function space(over: { isPublic?: boolean; needApprovalOnCommentCreation?: boolean } = {}) {
  const { communityId } = await make.community({ needApprovalOnCommentCreation: false, ...over })
  const { postId } = await make.post({ communityId })
  const author = await make.user({ displayName: 'An author' })
  await make.member({ communityId, userId: author.userId })
  const reviewer = await make.reviewerOf(communityId)
  return {
    communityId,
    postId,
    authorId: author.userId,
    author: await tokenOf(author.userId),
    reviewerId: reviewer.userId,
    reviewer: await tokenOf(reviewer.userId),
    stranger: await tokenOf((await make.user()).userId),
  }
}

const on = (postId: string) => ({ referenceType: 'post', referenceId: postId })
const write = (token: string, postId: string, over: object = {}) =>
  call('POST', '/api/v3/comments', { token, body: { ...on(postId), data: { text: 'Some words' }, ...over } })
const listOf = (token: string, postId: string, query = '') =>
  call('GET', `/api/v3/comments?referenceType=post&referenceId=${postId}${query}`, { token })
const idsOf = ({ body }: { body: { comments: { commentId: string }[] } }) =>
  body.comments.map((comment) => comment.commentId)
const codeOf = ({ status, body }: { status: number; body: { code?: number } }) => [status, body.code]
const FORBIDDEN = [403, 400300]
const NOT_FOUND = [404, 400400]
const INVALID = [422, 500000]

/** A count as readers see it: folded and open. */
async function countOf(kind: 'comment_children' | 'post_comments' | 'held_comments', subjectId: string) {
  const { _sum } = await prisma.tallyDelta.aggregate({ where: { kind, subjectId }, _sum: { delta: true } })
  return _sum.delta ?? 0
}
const eventsOf = (subjectId: string) =>
  prisma.event.findMany({ where: { subjectId }, orderBy: { eventId: 'asc' }, select: { name: true, isDeskOnly: true } })

describe('writing', () => {
  test('everyone sees a member’s comment, with author, membership, mentions and files, and it is counted', async () => {
    const { communityId, postId, author, authorId, stranger } = await space()
    await prisma.file.create({ data: { fileId: `file-${postId}`, type: 'image' } })
    const mentioned = await make.user()

    const { status, body } = await write(author, postId, {
      metadata: { a: 1 },
      mentionees: [{ type: 'user', userIds: [mentioned.userId, 'nobody'] }],
      attachments: [{ type: 'image', fileId: `file-${postId}` }],
    })

    expect(status).toBe(200)
    const [comment] = body.comments
    expect(comment).toMatchObject({
      userId: authorId,
      referenceType: 'post',
      referenceId: postId,
      targetType: 'community',
      targetId: communityId,
      dataTypes: ['text', 'image'],
      data: { text: 'Some words' },
      metadata: { a: 1 },
      mentionees: [{ type: 'user', userIds: [mentioned.userId], userInternalIds: [mentioned.internalId] }],
      childrenNumber: 0,
      children: [],
      isDeleted: false,
    })
    expect(comment).not.toHaveProperty('approvalStatus')
    expect(Object.values(comment)).not.toContain(null)
    expect(comment.editedAt).toBe(comment.createdAt)
    expect(body.users).toMatchObject([{ userId: authorId, displayName: 'An author' }, { userId: mentioned.userId }])
    expect(body.communityUsers).toMatchObject([{ userId: authorId, communityId }])
    expect(body.files).toMatchObject([{ fileId: `file-${postId}` }])
    expect(idsOf(await listOf(stranger, postId))).toEqual([comment.commentId])
    expect(await countOf('post_comments', postId)).toBe(1)
    expect(await eventsOf(comment.commentId)).toEqual([{ name: 'v3.comment.didCreate', isDeskOnly: false }])
  })

  test('people and files that few comments name are answered once, with avatars and permissions, however they are named', async () => {
    const { postId, author, stranger } = await space()
    const [avatarId, fileId] = [`avatar-${postId}`, `file-${postId}`]
    await prisma.file.createMany({ data: [avatarId, fileId].map((fileId) => ({ fileId, type: 'image' as const })) })
    const byId = await make.user({ roles: ['global-admin'] })
    await prisma.user.update({ where: { userId: byId.userId }, data: { avatarFileId: avatarId } })
    const byInternalId = await make.user()
    const [first = '', second = '', third = ''] = [
      ...idsOf(await write(author, postId, { attachments: [{ type: 'image', fileId }] })),
      ...idsOf(await write(author, postId)),
      ...idsOf(await write(author, postId)),
    ]
    const mention = (commentId: string, mentionees: object[]) =>
      prisma.comment.update({ where: { commentId }, data: { mentionees } })
    // As imported.
    await mention(first, [{ type: 'user', userInternalIds: [byInternalId.internalId] }])
    await mention(second, [{ type: 'user', userIds: [byId.userId] }])
    await mention(third, [{ type: 'user', userIds: [byId.userId, 'nobody'] }])

    const { users, files } = (await listOf(stranger, postId)).body
    expect(users).toHaveLength(3)
    expect(users).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ displayName: 'An author' }),
        expect.objectContaining({ userId: byInternalId.userId, permissions: [] }),
        expect.objectContaining({ userId: byId.userId, permissions: expect.arrayContaining(['BAN_USER']) }),
      ]),
    )
    expect(files).toMatchObject([{ fileId: avatarId }, { fileId }])
  })

  test('comments on somebody’s page have it in their path', async () => {
    const { author, stranger } = await space()
    const owner = await make.user()
    const postedUserId = owner.userId
    const { postId } = await prisma.post.create({
      data: {
        postId: `on-${postedUserId}`,
        targetType: 'user',
        targetId: postedUserId,
        postedUserId,
        data: { title: 'Hello' },
      },
    })
    const [onPost] = idsOf(await write(author, postId))
    const imported = await make.heldComment({ approvalStatus: null })
    // Its post was not imported.
    await prisma.comment.update({
      where: { commentId: imported.commentId },
      data: {
        communityId: null,
        targetType: 'user',
        targetId: owner.userId,
        referenceType: 'post',
        referenceId: 'none',
      },
    })
    for (const commentId of [onPost, imported.commentId]) {
      const { comments } = (await call('GET', `/api/v3/comments/${commentId}`, { token: stranger })).body
      expect(comments[0].path).toContain(`/user/${owner.internalId}/`)
    }
  })

  test('a reply names its parent and root, and its parent counts it', async () => {
    const { postId, author, stranger } = await space()
    const [parentId] = idsOf(await write(author, postId))
    const [replyId] = idsOf(await write(author, postId, { parentId }))
    const [deepId] = idsOf(await write(author, postId, { parentId: replyId }))

    const deep = await call('GET', `/api/v3/comments/${deepId}`, { token: stranger })
    expect(deep.body.comments).toMatchObject([{ parentId: replyId, rootId: parentId }])
    const parent = await call('GET', `/api/v3/comments/${parentId}`, { token: stranger })
    expect(parent.body).toMatchObject({
      comments: [{ childrenNumber: 1, children: [replyId] }],
      commentChildren: [{ commentId: replyId, childrenNumber: 1 }],
    })
    expect(idsOf(await listOf(stranger, postId, `&parentId=${parentId}`))).toEqual([replyId])
    expect(idsOf(await listOf(stranger, postId, '&filterByParentId=true'))).toEqual([parentId])
  })

  test('accepts an app’s own content too, and a comment that only has an attachment', async () => {
    const token = await tokenOf((await make.user()).userId)
    const { status, body } = await call('POST', '/api/v3/comments', {
      token,
      body: { referenceType: 'content', referenceId: 'video-1', attachments: [{ type: 'video', fileId: 'f' }] },
    })
    expect([status, body.comments[0]]).toMatchObject([
      200,
      { targetType: 'content', targetId: 'video-1', dataTypes: ['video'] },
    ])
  })

  test('a story takes comments where its community allows them, by the rules of posts there', async () => {
    const { communityId, author, authorId, reviewer, stranger } = await space()
    const hidden = await space({ isPublic: false })
    const post = async (storyId: string, over: object = { communityId, targetType: 'community' }) => {
      const commentId = `on-${storyId}`
      await prisma.comment.create({
        data: { commentId, referenceType: 'story', referenceId: storyId, userId: authorId, ...over },
      })
      return commentId
    }
    const onStory = { referenceType: 'story' }
    const parentId = await post('story-1')
    expect(codeOf(await write(author, 'story-1', onStory))).toEqual(FORBIDDEN)

    await prisma.community.updateMany({
      where: { communityId: { in: [communityId, hidden.communityId] } },
      data: { allowCommentInStory: true },
    })
    const [commentId] = idsOf(await write(author, 'story-1', onStory))
    const [replyId] = idsOf(await write(author, 'story-1', { ...onStory, parentId }))
    expect(codeOf(await write(stranger, 'story-1', onStory))).toEqual(FORBIDDEN)
    expect(codeOf(await write(admin, 'story-1', onStory))).toEqual(FORBIDDEN)

    // A post elsewhere with the same id as the story does not matter.
    await make.post({ postId: 'story-1', communityId: hidden.communityId })
    const listed = () => call('GET', '/api/v3/comments?referenceType=story&referenceId=story-1', { token: stranger })
    expect((await listed()).body.comments).toMatchObject([
      { commentId: replyId, parentId, referenceType: 'story', referenceId: 'story-1' },
      { commentId, targetType: 'community', targetId: communityId },
      { commentId: parentId, children: [replyId] },
    ])
    expect(await countOf('post_comments', 'story-1')).toBe(0)

    await prisma.community.update({ where: { communityId }, data: { needApprovalOnCommentCreation: true } })
    expect((await write(author, 'story-1', onStory)).body.comments).toMatchObject([{ approvalStatus: 'pending' }])
    expect(idsOf(await listed())).toHaveLength(3)
    expect((await write(reviewer, 'story-1', onStory)).body.comments[0]).not.toHaveProperty('approvalStatus')

    await post('story-2', { communityId: hidden.communityId, targetType: 'community' })
    expect(codeOf(await write(author, 'story-2', onStory))).toEqual(NOT_FOUND)
    await make.member({ communityId: hidden.communityId, userId: authorId, membership: 'banned' })
    expect(codeOf(await write(author, 'story-2', onStory))).toEqual([403, 400304])
    await post('story-3', { targetType: 'user', targetId: authorId })
    expect((await write(stranger, 'story-3', onStory)).body.comments).toMatchObject([
      { targetType: 'user', targetId: authorId },
    ])
  })

  test('rejects strangers, banned members, deleted spaces, held posts and admin tokens, each with its own error', async () => {
    const open = await space()
    const closed = await space({ isPublic: false })
    const banned = await make.user()
    await make.member({ communityId: closed.communityId, userId: banned.userId, membership: 'banned' })
    const bannedToken = await tokenOf(banned.userId)

    expect(codeOf(await write(open.stranger, open.postId))).toEqual(FORBIDDEN)
    expect(codeOf(await write(open.stranger, closed.postId))).toEqual(NOT_FOUND)
    expect(codeOf(await write(bannedToken, closed.postId))).toEqual([403, 400304])
    expect(codeOf(await write(open.author, 'no-such-post'))).toEqual(NOT_FOUND)
    expect(codeOf(await write(open.author, 's', { referenceType: 'story' }))).toEqual(NOT_FOUND)
    expect(codeOf(await write(admin, open.postId))).toEqual(FORBIDDEN)

    await prisma.post.update({ where: { postId: closed.postId }, data: { feedType: 'reviewing' } })
    expect(codeOf(await write(closed.author, closed.postId))).toEqual(NOT_FOUND)
    expect(codeOf(await write(closed.reviewer, closed.postId))).toEqual(FORBIDDEN)
    await prisma.post.update({ where: { postId: closed.postId }, data: { feedType: 'published', isDeleted: true } })
    expect(codeOf(await write(closed.author, closed.postId))).toEqual(FORBIDDEN)
    await prisma.community.update({ where: { communityId: open.communityId }, data: { isDeleted: true } })
    expect(codeOf(await write(open.author, open.postId))).toEqual(FORBIDDEN)
  })

  test('a parent must be on the same post, and visible to the caller and everyone', async () => {
    const one = await space({ needApprovalOnCommentCreation: true })
    const other = await space()
    const [elsewhere] = idsOf(await write(other.author, other.postId))
    const [held] = idsOf(await write(one.author, one.postId))

    expect(codeOf(await write(one.author, one.postId, { parentId: elsewhere }))).toEqual(NOT_FOUND)
    expect(codeOf(await write(one.author, one.postId, { parentId: held }))).toEqual(FORBIDDEN)
    const member = await make.user()
    await make.member({ communityId: one.communityId, userId: member.userId })
    expect(codeOf(await write(await tokenOf(member.userId), one.postId, { parentId: held }))).toEqual(NOT_FOUND)
  })

  const text = (length: number) => ({ data: { text: 'x'.repeat(length) } })
  const attachments = (count: number) => ({
    attachments: Array.from({ length: count }, (_, index) => ({ type: 'image', fileId: `f${index}` })),
  })
  test.each<[string, object]>([
    ['20,000 characters', text(20_000)],
    ['ten attachments', attachments(10)],
    [
      'a hundred people mentioned',
      { mentionees: [{ userIds: Array.from({ length: 100 }, (_, index) => `u${index}`) }] },
    ],
    ['custom content of nearly 100 KB', { data: { text: 'x', custom: 'x'.repeat(102_000) } }],
  ])('accepts %s', async (_what, over) => {
    const { postId, author } = await space()
    expect((await write(author, postId, over)).status).toBe(200)
  })
  test.each<[string, object]>([
    ['20,001 characters', text(20_001)],
    ['no words and no attachment', { data: {} }],
    ['empty words', text(0)],
    ['eleven attachments', attachments(11)],
    ['an attachment of another type', { attachments: [{ type: 'audio', fileId: 'f' }] }],
    ['more than 100 KB of custom content', { data: { text: 'x', custom: 'x'.repeat(102_400) } }],
    ['101 people mentioned', { mentionees: [{ userIds: Array.from({ length: 101 }, (_, index) => `u${index}`) }] }],
    ['U+0000 within', { data: { text: 'a\0b' } }],
    ['half a surrogate pair in metadata', { metadata: { a: ['\ud800'] } }],
    ['an unknown reference type', { referenceType: 'page' }],
    ['an id of 901 characters', { referenceId: 'p'.repeat(901) }],
  ])('rejects %s with 500000', async (_what, over) => {
    const { postId, author } = await space()
    expect(codeOf(await write(author, postId, over))).toEqual(INVALID)
  })
})

describe('a community that holds comments', () => {
  test('holds a member’s: only its author and reviewers see it, in lists, children, counts and by its id', async () => {
    const { communityId, postId, author, reviewer, stranger } = await space({ needApprovalOnCommentCreation: true })
    const [parentId] = idsOf(await write(reviewer, postId))
    const held = await write(author, postId, { parentId })
    const [heldId] = idsOf(held)

    expect(held.body.comments).toMatchObject([{ approvalStatus: 'pending' }])
    expect(await countOf('held_comments', communityId)).toBe(1)
    expect([await countOf('post_comments', postId), await countOf('comment_children', parentId ?? '')]).toEqual([1, 0])
    expect(await eventsOf(heldId ?? '')).toEqual([{ name: 'desk.comment.didHold', isDeskOnly: true }])
    const queue = await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token: reviewer })
    expect(idsOf(queue)).toEqual([heldId])

    expect(idsOf(await listOf(author, postId))).toEqual([heldId, parentId])
    expect(idsOf(await listOf(stranger, postId))).toEqual([parentId])
    expect(idsOf(await listOf(reviewer, postId))).toEqual([parentId])
    expect(idsOf(await listOf(reviewer, postId, '&includePending=true'))).toEqual([heldId, parentId])
    expect(idsOf(await listOf(admin, postId, '&includePending=true'))).toEqual([heldId, parentId])
    for (const token of [stranger, author]) {
      expect(codeOf(await listOf(token, postId, '&includePending=true'))).toEqual(FORBIDDEN)
    }

    const childrenFor = async (token: string) =>
      (await call('GET', `/api/v3/comments/${parentId}`, { token })).body.comments[0]
    expect(await childrenFor(stranger)).toMatchObject({ children: [], childrenNumber: 0 })
    expect(await childrenFor(author)).toMatchObject({ children: [heldId], childrenNumber: 0 })
    expect(await childrenFor(reviewer)).toMatchObject({ children: [heldId], childrenNumber: 0 })
    expect(codeOf(await call('GET', `/api/v3/comments/${heldId}`, { token: stranger }))).toEqual(NOT_FOUND)
    expect((await call('GET', `/api/v3/comments/${heldId}`, { token: author })).status).toBe(200)
  })

  test('does not hold a reviewer’s', async () => {
    const { postId, reviewer } = await space({ needApprovalOnCommentCreation: true })
    expect((await write(reviewer, postId)).body.comments[0]).not.toHaveProperty('approvalStatus')
  })

  test('counts it once approved, with the whole envelope in the answer, and not once declined', async () => {
    const { postId, author, authorId, reviewer, stranger } = await space({ needApprovalOnCommentCreation: true })
    const [parentId] = idsOf(await write(reviewer, postId))
    const [first] = idsOf(await write(author, postId, { parentId }))
    const [second] = idsOf(await write(author, postId, { parentId }))

    const approved = await call('POST', `/api/v3/comments/${first}/approve`, { token: reviewer })
    await call('POST', `/api/v3/comments/${second}/decline`, { token: reviewer })

    expect(Object.keys(approved.body).sort()).toEqual([
      'commentChildren',
      'comments',
      'communityUsers',
      'files',
      'users',
    ])
    expect(approved.body.users).toMatchObject([{ userId: authorId }])
    const parent = await call('GET', `/api/v3/comments/${parentId}`, { token: stranger })
    expect(parent.body.comments).toMatchObject([{ childrenNumber: 1, children: [first] }])
    expect(await countOf('post_comments', postId)).toBe(2)
    expect(codeOf(await call('GET', `/api/v3/comments/${second}`, { token: stranger }))).toEqual(NOT_FOUND)
    expect((await call('GET', `/api/v3/comments/${second}`, { token: author })).body.comments).toMatchObject([
      { approvalStatus: 'rejected', isDeleted: true },
    ])
  })

  test('drops it from the queue when its author deletes it, and publishes no event', async () => {
    const { communityId, postId, author } = await space({ needApprovalOnCommentCreation: true })
    const [heldId] = idsOf(await write(author, postId))

    const deleted = await call('DELETE', `/api/v4/comments/${heldId}?permanent=false`, { token: author })
    expect([deleted.status, deleted.body]).toEqual([200, { success: true }])
    expect(await countOf('held_comments', communityId)).toBe(0)
    expect(await countOf('post_comments', postId)).toBe(0)
    expect((await eventsOf(heldId ?? '')).every((event) => event.isDeskOnly)).toBe(true)
    await call('DELETE', `/api/v4/comments/${heldId}`, { token: author })
    expect(await countOf('held_comments', communityId)).toBe(0)
  })
})

describe('editing and deleting', () => {
  test('an edit raises the version, sets editedAt, and rejects a decision on the previous version', async () => {
    const { postId, author, reviewer } = await space({ needApprovalOnCommentCreation: true })
    const [commentId] = idsOf(await write(author, postId))
    const edited = await call('PUT', `/api/v3/comments/${commentId}`, {
      token: author,
      body: { data: { text: 'New' } },
    })

    expect(edited.body.comments).toMatchObject([{ data: { text: 'New' }, editedAt: expect.any(String) }])
    const stale = await call('POST', `/api/v3/comments/${commentId}/approve`, { token: reviewer, body: { version: 1 } })
    expect(codeOf(stale)).toEqual([409, 400409])
    expect((await eventsOf(commentId ?? '')).map((event) => event.name)).toEqual([
      'desk.comment.didHold',
      'desk.comment.didEdit',
    ])
  })

  test('editedAt is when a comment was written until its words change, whatever else happens to it', async () => {
    const { postId, author, reviewer, stranger } = await space({ needApprovalOnCommentCreation: true })
    const made = await write(author, postId)
    const [commentId = ''] = idsOf(made)
    const [{ createdAt }] = made.body.comments
    const approved = await call('POST', `/api/v3/comments/${commentId}/approve`, { token: reviewer })
    expect(approved.body.comments).toMatchObject([{ createdAt, editedAt: createdAt }])
    await call('POST', `/api/v3/comments/${commentId}/flag`, { token: stranger })
    const seen = async () => [
      (await call('GET', `/api/v3/comments/${commentId}`, { token: stranger })).body.comments[0],
      (await listOf(stranger, postId)).body.comments[0],
    ]
    expect(await seen()).toMatchObject([{ editedAt: createdAt }, { editedAt: createdAt, flagCount: 1 }])

    const edited = await call('PUT', `/api/v3/comments/${commentId}`, {
      token: author,
      body: { data: { text: 'New' } },
    })
    const [{ editedAt }] = edited.body.comments
    expect(Date.parse(editedAt)).toBeGreaterThan(Date.parse(createdAt))
    expect(await seen()).toMatchObject([{ editedAt }, { editedAt }])
  })

  test('only the author and moderators may; on a held comment only if the network allows it', async () => {
    const { communityId, postId, author, authorId, reviewer, stranger } = await space()
    const [commentId] = idsOf(await write(author, postId))
    const edit = (token: string, body: object = { data: { text: 'New' } }) =>
      call('PUT', `/api/v3/comments/${commentId}`, { token, body })

    expect(codeOf(await edit(stranger))).toEqual(FORBIDDEN)
    expect((await edit(reviewer)).status).toBe(200)
    expect((await edit(admin)).status).toBe(200)
    expect(codeOf(await edit(author, { data: { text: '' } }))).toEqual(INVALID)
    expect((await edit(author, { attachments: [{ type: 'image', fileId: 'f' }] })).body.comments).toMatchObject([
      { data: { text: 'New' }, dataTypes: ['text', 'image'] },
    ])

    await prisma.comment.update({ where: { commentId }, data: { approvalStatus: 'pending', queuedAt: new Date() } })
    await prisma.networkSettings.updateMany({ data: { isAllowEditCommentWhenReviewingEnabled: false } })
    expect(codeOf(await edit(author))).toEqual(FORBIDDEN)
    await prisma.networkSettings.updateMany({ data: { isAllowEditCommentWhenReviewingEnabled: true } })
    expect((await edit(author)).status).toBe(200)

    await prisma.communityUser.updateMany({ where: { communityId, userId: authorId }, data: { membership: 'banned' } })
    expect(codeOf(await edit(author))).toEqual([403, 400304])
  })

  test('events reveal no held content when a reviewer edits, flags or deletes', async () => {
    const { postId, author, reviewer } = await space({ needApprovalOnCommentCreation: true })
    const [parentId] = idsOf(await write(reviewer, postId))
    const [heldId] = idsOf(await write(author, postId, { parentId }))
    const path = `/api/v3/comments/${parentId}`
    await call('PUT', path, { token: reviewer, body: { data: { text: 'New' } } })
    await call('POST', `${path}/flag`, { token: reviewer })
    await call('DELETE', `/api/v4/comments/${parentId}`, { token: reviewer })

    const events = await prisma.event.findMany({
      where: { subjectId: parentId, isDeskOnly: false },
      orderBy: { eventId: 'asc' },
    })
    expect(events.map((event) => event.name)).toEqual([
      'v3.comment.didCreate',
      'v3.comment.didUpdate',
      'v3.comment.didFlag',
      'v3.comment.didDelete',
    ])
    expect(JSON.stringify(events.map((event) => event.payload))).not.toContain(heldId)
  })

  test('a deleted comment still answers by its id, but is no longer counted; an erased one does not', async () => {
    const { postId, author, reviewer, stranger } = await space()
    const [parentId] = idsOf(await write(author, postId))
    const [replyId] = idsOf(await write(author, postId, { parentId }))
    const remove = (token: string, permanent: boolean) =>
      call('DELETE', `/api/v4/comments/${replyId}?commentId=${replyId}&permanent=${permanent}`, { token })

    expect(codeOf(await remove(stranger, false))).toEqual(FORBIDDEN)
    expect((await remove(reviewer, false)).body).toEqual({ success: true })
    expect((await remove(author, false)).body).toEqual({ success: true })
    expect((await call('GET', `/api/v3/comments/${replyId}`, { token: stranger })).body.comments).toMatchObject([
      { isDeleted: true },
    ])
    expect(codeOf(await call('PUT', `/api/v3/comments/${replyId}`, { token: author, body: {} }))).toEqual(FORBIDDEN)
    expect([await countOf('post_comments', postId), await countOf('comment_children', parentId ?? '')]).toEqual([1, 0])
    expect(idsOf(await listOf(stranger, postId, '&isDeleted=false'))).toEqual([parentId])
    expect(idsOf(await listOf(stranger, postId, '&isDeleted=true'))).toEqual([replyId])
    expect(idsOf(await listOf(stranger, postId, '&isDeleted=null'))).toEqual([replyId, parentId])

    expect((await remove(author, true)).body).toEqual({ success: true })
    expect(codeOf(await call('GET', `/api/v3/comments/${replyId}`, { token: author }))).toEqual(NOT_FOUND)
    expect(await countOf('post_comments', postId)).toBe(1)
  })
})

describe('flags', () => {
  test('count once per person, mark the post and community, and disappear when withdrawn or cleared', async () => {
    const { communityId, postId, author, reviewer, stranger } = await space()
    const [commentId] = idsOf(await write(author, postId))
    const path = `/api/v3/comments/${commentId}`
    const flags = () => prisma.comment.findUniqueOrThrow({ where: { commentId }, select: { flagCount: true } })
    const marks = async () => [
      (await prisma.post.findUniqueOrThrow({ where: { postId } })).hasFlaggedComment,
      (await prisma.community.findUniqueOrThrow({ where: { communityId } })).hasFlaggedComment,
    ]

    const flagged = await call('POST', `${path}/flag`, {
      token: stranger,
      body: { reason: 'Spam or scams', detail: '' },
    })
    expect(flagged.body.comments).toMatchObject([{ flagCount: 1, hashFlag: { hash: [] } }])
    await call('POST', `${path}/flag`, { token: stranger })
    await call('POST', `${path}/flag`, { token: reviewer })
    expect([await flags(), await marks()]).toEqual([{ flagCount: 2 }, [true, true]])
    expect((await call('GET', `${path}/isflagbyme`, { token: stranger })).body).toEqual({ result: true })
    expect((await call('GET', `${path}/isflagbyme`, { token: author })).body).toEqual({ result: false })
    expect(idsOf(await listOf(stranger, postId, '&hasFlag=true'))).toEqual([commentId])
    expect(idsOf(await listOf(stranger, postId, '&hasFlag=false'))).toEqual([])

    expect((await call('DELETE', `${path}/unflag`, { token: stranger })).body.comments).toMatchObject([
      { flagCount: 1 },
    ])
    await call('DELETE', `${path}/unflag`, { token: stranger })
    expect(await flags()).toEqual({ flagCount: 1 })
    expect(codeOf(await call('DELETE', `${path}/flags`, { token: author }))).toEqual(FORBIDDEN)
    const cleared = await call('DELETE', `${path}/flags`, { token: reviewer })
    expect(cleared.body.comments[0]).toMatchObject({ flagCount: 0 })
    expect(cleared.body.comments[0]).not.toHaveProperty('hashFlag')
    expect(await marks()).toEqual([false, false])
    expect((await call('GET', `${path}/isflagbyme`, { token: reviewer })).body).toEqual({ result: false })
  })

  test('accept a reason and detail of up to 300 characters; reject admin tokens and unknown comments', async () => {
    const { postId, author, stranger } = await space({ needApprovalOnCommentCreation: true })
    const [heldId] = idsOf(await write(author, postId))
    const flag = (token: string, body: unknown, id = heldId) =>
      call('POST', `/api/v3/comments/${id}/flag`, { token, body })
    const long = 'x'.repeat(300)
    expect((await flag(author, { reason: long, detail: long })).status).toBe(200)
    expect(codeOf(await flag(author, { reason: `${long}x` }))).toEqual(INVALID)
    expect(codeOf(await flag(author, { detail: `${long}x` }))).toEqual(INVALID)
    expect(codeOf(await flag(admin, {}))).toEqual(FORBIDDEN)
    expect(codeOf(await flag(stranger, {}))).toEqual(NOT_FOUND)
    for (const [method, end] of [
      ['DELETE', 'unflag'],
      ['DELETE', 'flags'],
      ['GET', 'isflagbyme'],
    ] as const) {
      expect(codeOf(await call(method, `/api/v3/comments/${heldId}/${end}`, { token: stranger }))).toEqual(NOT_FOUND)
    }
  })
})

describe('lists', () => {
  test('page forward and back without repeats or gaps, in both orders, while rows come and go', async () => {
    const { communityId, postId, authorId, stranger } = await space()
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) {
      const comment = await make.heldComment({
        communityId,
        userId: authorId,
        referenceId: postId,
        approvalStatus: null,
        commentId: `${postId}-${index}`,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 9 - Math.floor(index / 3))),
      })
      ids.push(comment.commentId)
    }
    const first = await listOf(stranger, postId, '&options[limit]=3')
    expect([idsOf(first), first.body.paging.prev]).toEqual([ids.slice(0, 3), undefined])
    await prisma.comment.delete({ where: { commentId: ids[2] ?? '' } })
    await make.heldComment({ communityId, userId: authorId, referenceId: postId, approvalStatus: null })

    const token = (page: string) => `&options[token]=${encodeURIComponent(page)}`
    const second = await listOf(stranger, postId, token(first.body.paging.next))
    const third = await listOf(stranger, postId, token(second.body.paging.next))
    expect([idsOf(second), idsOf(third)]).toEqual([ids.slice(3, 6), ids.slice(6)])
    expect(third.body.paging).not.toHaveProperty('next')
    const back = await listOf(stranger, postId, token(third.body.paging.previous))
    expect(idsOf(back)).toEqual(ids.slice(3, 6))
    const reversed = await listOf(stranger, postId, '&sortBy=firstCreated&options[limit]=4')
    expect(idsOf(reversed)).toEqual([ids[6], ids[5], ids[4], ids[3]])
  })

  test('filter by types, any or exactly', async () => {
    const { postId, author } = await space()
    const [words] = idsOf(await write(author, postId))
    const [both] = idsOf(await write(author, postId, { attachments: [{ type: 'image', fileId: 'f' }] }))
    const typed = async (query: string) => idsOf(await listOf(author, postId, query))
    expect(await typed('&dataTypes[values][0]=text&dataTypes[matchType]=any&options[type]=pagination')).toEqual([
      both,
      words,
    ])
    expect(await typed('&dataTypes[values][]=image')).toEqual([both])
    expect(await typed('&dataTypes[values][]=text&dataTypes[matchType]=exact')).toEqual([words])
    expect(await typed('&dataTypes[values][]=text&dataTypes[values][]=image&dataTypes[matchType]=exact')).toEqual([
      both,
    ])
  })

  test.each([
    ['no reference', '/api/v3/comments', INVALID],
    ['a limit of 101', '/api/v3/comments?referenceType=post&referenceId=p&options[limit]=101', INVALID],
    ['an unknown order', '/api/v3/comments?referenceType=post&referenceId=p&sortBy=colour', INVALID],
    [
      'a token that does not decode',
      '/api/v3/comments?referenceType=post&referenceId=p&options[token]=!',
      [400, 400000],
    ],
  ])('reject %s', async (_what, path, expected) => {
    expect(codeOf(await call('GET', path, { token: admin }))).toEqual(expected)
  })
})
