import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)

type Kind = 'comment' | 'post' | 'message'

/** Content that its author created over the interface, where it is counted, and how it is read and deleted. */
interface Written {
  kind: Kind
  id: string
  author: string
  stranger: string
  path: string
  readPath: string
  counted: { kind: 'post_comments' | 'community_posts' | 'channel_messages'; subjectId: string }
}

async function inCommunity() {
  const { communityId } = await make.community({ needApprovalOnCommentCreation: false })
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  return { communityId, author: await tokenOf(userId), stranger: await tokenOf((await make.user()).userId) }
}

const WRITING: Record<Kind, () => Promise<Written>> = {
  comment: async () => {
    const { communityId, ...people } = await inCommunity()
    const { postId } = await make.post({ communityId })
    const body = { referenceType: 'post', referenceId: postId, data: { text: 'Words' } }
    const id = (await call('POST', '/api/v3/comments', { token: people.author, body })).body.comments[0].commentId
    return {
      kind: 'comment',
      id,
      ...people,
      path: `/api/v4/comments/${id}`,
      readPath: `/api/v3/comments/${id}`,
      counted: { kind: 'post_comments', subjectId: postId },
    }
  },
  post: async () => {
    const { communityId, ...people } = await inCommunity()
    const body = { targetType: 'community', targetId: communityId, data: { text: 'Words' } }
    const id = (await call('POST', '/api/v4/posts', { token: people.author, body })).body.posts[0].postId
    return {
      kind: 'post',
      id,
      ...people,
      path: `/api/v4/posts/${id}`,
      readPath: `/api/v3/posts/${id}`,
      counted: { kind: 'community_posts', subjectId: communityId },
    }
  },
  message: async () => {
    const { channelId, internalId } = await make.channel()
    const people = [await make.channelUser({ channelId }), await make.channelUser({ channelId })]
    const [author = '', stranger = ''] = await Promise.all(people.map(({ userId }) => tokenOf(userId)))
    const body = { messageFeedId: internalId, data: { text: 'Words' } }
    const id = (await call('POST', '/api/v5/messages', { token: author, body })).body.messages[0].messageId
    return {
      kind: 'message',
      id,
      author,
      stranger,
      path: `/api/v5/messages/${id}`,
      readPath: `/api/v5/messages/${id}`,
      counted: { kind: 'channel_messages', subjectId: channelId },
    }
  },
}

const FLAGS: Record<Kind, string> = { comment: 'flag', post: 'flag', message: 'flags' }
const remove = ({ path }: Written, token: string, query = '') => call('DELETE', `${path}${query}`, { token })
const read = ({ readPath, author }: Written) => call('GET', readPath, { token: author })
const logOf = async ({ kind, id }: Written) =>
  (await prisma.audit.findMany({ where: { subjectType: kind, subjectId: id }, orderBy: { auditId: 'asc' } })).map(
    ({ action }) => action.replace(`${kind}.`, ''),
  )
const countOf = async ({ counted }: Written) =>
  (await prisma.tallyDelta.aggregate({ where: counted, _sum: { delta: true } }))._sum.delta
const SUCCESS = { status: 200, body: { success: true } }
const NOT_FOUND = { status: 404, body: { code: 400400 } }

describe.each(['comment', 'post', 'message'] as const)('a %s', (kind) => {
  test('without permanent, or with false, is soft-deleted; doing it again changes nothing', async () => {
    const written = await WRITING[kind]()
    expect(await remove(written, written.author, '?permanent=false')).toMatchObject(SUCCESS)
    expect(await remove(written, written.author)).toMatchObject(SUCCESS)
    const answer = await read(written)
    expect([answer.status, answer.body[`${kind}s`][0].isDeleted]).toEqual([200, true])
    expect((await logOf(written)).filter((action) => action === 'deleted')).toHaveLength(1)
    expect(await countOf(written)).toBe(0)
  })

  test('with permanent is gone, with its flags and reactions; only one log row without its words remains', async () => {
    const written = await WRITING[kind]()
    const subject = { subjectType: kind, subjectId: written.id }
    await call('POST', `${written.readPath}/${FLAGS[kind]}`, { token: written.author, body: {} })
    const { userId } = await make.user()
    await prisma.reaction.create({ data: { ...subject, userId, reactionName: 'like' } })
    expect(await prisma.flag.count({ where: subject })).toBe(1)

    expect(await remove(written, written.stranger, '?permanent=true')).toMatchObject({ status: 403 })
    expect(await remove(written, written.author, '?permanent=perhaps')).toMatchObject({ status: 422 })
    expect(await read(written)).toMatchObject({ status: 200 })
    expect(await remove(written, written.author, '?permanent=true')).toMatchObject(SUCCESS)

    expect(await read(written)).toMatchObject(NOT_FOUND)
    expect(await prisma.flag.count({ where: subject })).toBe(0)
    expect(await prisma.reaction.count({ where: subject })).toBe(0)
    expect(await countOf(written)).toBe(0)
    const log = await prisma.audit.findMany({ where: { ...subject, action: `${kind}.erased` } })
    expect(log).toMatchObject([{ after: { isDeleted: true } }])
    expect(JSON.stringify(log.map(({ before, after }) => [before, after]))).not.toContain('Words')
    expect(await prisma.event.count({ where: { ...subject, name: { endsWith: `${kind}.didDelete` } } })).toBe(1)
  })

  test('cannot be erased twice, and one that was deleted is subtracted from counts once', async () => {
    const written = await WRITING[kind]()
    await remove(written, written.author)
    expect(await remove(written, written.author, '?permanent=true')).toMatchObject(SUCCESS)
    for (const query of ['?permanent=true', '?permanent=false', '']) {
      expect(await remove(written, written.author, query)).toMatchObject(NOT_FOUND)
    }
    expect((await logOf(written)).slice(-2)).toEqual(['deleted', 'erased'])
    expect(await countOf(written)).toBe(0)
  })

  test('of ten who erase it at once one does, and it is subtracted from counts and logged once', async () => {
    const written = await WRITING[kind]()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => remove(written, written.author, '?permanent=true')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    expect((await logOf(written)).filter((action) => action === 'erased')).toHaveLength(1)
    expect(await countOf(written)).toBe(0)
  })
})

test('a held comment that is erased leaves the queue, and no event is published', async () => {
  const { communityId, author } = await inCommunity()
  await prisma.community.update({ where: { communityId }, data: { needApprovalOnCommentCreation: true } })
  const { postId } = await make.post({ communityId })
  const body = { referenceType: 'post', referenceId: postId, data: { text: 'Words' } }
  const [{ commentId }] = (await call('POST', '/api/v3/comments', { token: author, body })).body.comments
  const queued = async () =>
    (await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token: await tokenOf() })).body
      .comments

  expect(await queued()).toHaveLength(1)
  expect(await call('DELETE', `/api/v4/comments/${commentId}?permanent=true`, { token: author })).toMatchObject(SUCCESS)
  expect(await queued()).toEqual([])
  const held = { kind: 'held_comments' as const, subjectId: communityId }
  expect((await prisma.tallyDelta.aggregate({ where: held, _sum: { delta: true } }))._sum.delta).toBe(0)
  expect(await prisma.event.count({ where: { subjectId: commentId, isDeskOnly: false } })).toBe(0)
})

test('replies to an erased comment, and comments on an erased post, stay', async () => {
  const { communityId, author } = await inCommunity()
  const { postId } = await make.post({ communityId })
  const on = { referenceType: 'post', referenceId: postId, data: { text: 'Words' } }
  const write = async (over: object) =>
    (await call('POST', '/api/v3/comments', { token: author, body: { ...on, ...over } })).body.comments[0].commentId
  const parentId = await write({})
  const replyId = await write({ parentId })
  const admin = await tokenOf()
  expect(await call('DELETE', `/api/v4/comments/${parentId}?permanent=true`, { token: admin })).toMatchObject(SUCCESS)
  expect(await call('DELETE', `/api/v4/posts/${postId}?permanent=true`, { token: admin })).toMatchObject(SUCCESS)
  const listed = await call('GET', `/api/v3/comments?referenceType=post&referenceId=${postId}`, { token: author })
  expect(listed.body.comments).toMatchObject([{ commentId: replyId, parentId }])
})

test('a community no longer shows a flagged attachment once its post is deleted', async () => {
  const { communityId, author, stranger } = await inCommunity()
  const body = {
    targetType: 'community',
    targetId: communityId,
    data: { text: 'Words' },
    attachments: [{ type: 'image', fileId: 'f' }],
  }
  for (const query of ['', '?permanent=true']) {
    const made = (await call('POST', '/api/v4/posts', { token: author, body })).body
    const [{ postId }, [{ postId: childId }]] = [made.posts[0], made.postChildren]
    await call('POST', `/api/v3/posts/${childId}/flag`, { token: stranger, body: {} })
    const isMarked = async () => (await prisma.community.findUniqueOrThrow({ where: { communityId } })).hasFlaggedPost
    expect(await isMarked()).toBe(true)
    await call('DELETE', `/api/v4/posts/${postId}${query}`, { token: author })
    expect(await isMarked()).toBe(false)
  }
})

test('an erased message is no longer pinned or the latest of its channel', async () => {
  const written = await WRITING.message()
  const channelId = written.counted.subjectId
  await prisma.channel.update({ where: { channelId }, data: { pinnedMessageId: written.id } })
  const shown = async () => (await call('GET', `/api/v3/channels/${channelId}`, { token: written.author })).body
  expect(await shown()).toMatchObject({
    channels: [{ messagePreviewId: written.id, pinnedMessage: { messageId: written.id } }],
    messagePreviews: [{ messageId: written.id }],
  })
  await remove(written, written.author, '?permanent=true')
  const answer = await shown()
  expect(answer).toMatchObject({ messagePreviews: [], messageFeedsInfo: [] })
  expect(answer.channels[0]).not.toHaveProperty('messagePreviewId')
  expect(answer.channels[0]).not.toHaveProperty('pinnedMessage')
})
