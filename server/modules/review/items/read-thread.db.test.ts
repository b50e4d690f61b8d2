import { expect, test } from 'vitest'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { readThread } from '#server/modules/review/items/read-thread.ts'
import type { Quoted } from '#server/modules/review/items/schema.ts'
import { asAdmin, asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const ctx = ctxOf(database, asAdmin())
const textsOf = (said: Quoted[]) => said.map(({ text }) => text)
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))

/** A post with a comment, nine replies to it and two replies to the sixth of them. */
async function conversation() {
  const { communityId } = await make.community()
  const { postId } = await make.post({ communityId, data: { title: 'High water', text: 'It rises.' } })
  const on = { communityId, referenceId: postId }
  const root = await make.heldComment({ ...on, approvalStatus: 'approved', data: { text: 'root' }, createdAt: at(0) })
  const answers: string[] = []
  for (let index = 1; index <= 9; index++) {
    const answer = await make.heldComment({
      ...on,
      parentId: root.commentId,
      data: { text: `answer ${index}` },
      createdAt: at(index),
    })
    answers.push(answer.commentId)
  }
  const item = answers[5] ?? ''
  for (const index of [1, 2])
    await make.heldComment({ ...on, parentId: item, data: { text: `reply ${index}` }, createdAt: at(20 + index) })
  return { communityId, postId, root, answers, item }
}

test('shows a comment with its post, its parents and its nearest neighbours, in the order written', async () => {
  const { item } = await conversation()
  const thread = await readThread(ctx, { subjectType: 'comment', subjectId: item })

  expect(thread.post).toMatchObject({ title: 'High water', text: 'It rises.' })
  expect(textsOf(thread.parents)).toEqual(['root'])
  expect(thread.item?.text).toBe('answer 6')
  expect(textsOf(thread.before)).toEqual(['answer 3', 'answer 4', 'answer 5'])
  expect(textsOf(thread.after)).toEqual(['answer 7', 'answer 8', 'answer 9'])
  expect(textsOf(thread.replies)).toEqual(['reply 1', 'reply 2'])
  expect(thread.hasMore).toEqual({ before: true, after: false, replies: false })
})

test('follows parents up to the first comment, and stops at a cycle', async () => {
  const { item, communityId, root } = await conversation()
  const deep = await make.heldComment({ communityId, parentId: item, data: { text: 'deep' } })
  const subject = { subjectType: 'comment' as const, subjectId: deep.commentId }
  expect(textsOf((await readThread(ctx, subject)).parents)).toEqual(['root', 'answer 6'])

  await prisma.comment.update({ where: { commentId: root.commentId }, data: { parentId: item } })
  expect((await readThread(ctx, subject)).parents).toHaveLength(20)
})

test('shows a top-level comment among the other top-level comments, and a post before its comments', async () => {
  const { postId, root, communityId } = await conversation()
  const later = { communityId, referenceId: postId, data: { text: 'second root' }, createdAt: at(1) }
  await make.heldComment(later)

  const ofRoot = await readThread(ctx, { subjectType: 'comment', subjectId: root.commentId })
  expect(textsOf(ofRoot.after)).toEqual(['second root'])
  expect(ofRoot.replies).toHaveLength(9)

  await prisma.post.update({ where: { postId }, data: { feedType: 'reviewing', queuedAt: at(0) } })
  const ofPost = await readThread(ctx, { subjectType: 'post', subjectId: postId })
  expect(ofPost).toMatchObject({ post: { title: 'High water' }, parents: [], before: [], after: [] })
  expect(textsOf(ofPost.replies)).toEqual(['root', 'second root'])
})

test('shows the first twenty of more than twenty replies, and that there are more', async () => {
  const { communityId, root } = await conversation()
  for (let index = 0; index < 12; index++)
    await make.heldComment({ communityId, parentId: root.commentId, createdAt: at(40) })
  const thread = await readThread(ctx, { subjectType: 'comment', subjectId: root.commentId })
  expect(thread.replies).toHaveLength(20)
  expect(thread.hasMore.replies).toBe(true)
})

test('a thread stays within its community, and only reviewers of that community can read it', async () => {
  const { item, communityId } = await conversation()
  const elsewhere = await make.heldComment({ parentId: item, data: { text: 'elsewhere' } })
  const subject = { subjectType: 'comment' as const, subjectId: item }
  const reviewer = ctxOf(database, await make.reviewerOf(communityId))
  expect(textsOf((await readThread(reviewer, subject)).replies)).not.toContain('elsewhere')

  const other = await make.reviewerOf(elsewhere.communityId)
  const thread = await readThread(ctxOf(database, other), { ...subject, subjectId: elsewhere.commentId })
  expect(thread).toMatchObject({ parents: [], before: [] })

  const stranger = ctxOf(database, asUser((await make.user()).userId))
  for (const ctx of [ctxOf(database, other), stranger])
    expect(await readThread(ctx, subject).catch(failureOf)).toBe('NOT_FOUND')
})

test('of long texts around an item only the beginnings are sent, until somebody asks for all of them', async () => {
  const { item, communityId, postId, root, answers } = await conversation()
  const long = `${'A family of trams '.repeat(1_100)}arrived.`
  await prisma.post.update({ where: { postId }, data: { data: { title: 'High water', text: long } } })
  await prisma.comment.updateMany({ where: { communityId }, data: { data: { text: long } } })
  const subject = { subjectType: 'comment' as const, subjectId: item }
  const all = ({ post, parents, item, before, after, replies }: Awaited<ReturnType<typeof readThread>>) =>
    [post, item, ...parents, ...before, ...after, ...replies].flatMap((quoted) => quoted ?? [])

  const cut = all(await readThread(ctx, subject))
  expect(cut).toHaveLength(11)
  expect(cut.filter(({ isCut, text }) => isCut && text.length < 500 && text.endsWith('…'))).toHaveLength(11)
  const whole = all(await readThread(ctx, { ...subject, areQuotesWhole: true }))
  expect(whole.filter(({ isCut, text }) => !isCut && text === long)).toHaveLength(11)

  const answer = { subjectType: 'comment' as const, subjectId: answers[0] ?? '' }
  const { parent, post } = await readItem(ctx, answer)
  expect([parent, post]).toMatchObject([
    { id: root.commentId, isCut: true },
    { id: postId, isCut: true },
  ])
  const asked = await readItem(ctx, { ...answer, areQuotesWhole: true })
  expect([asked.parent?.text, asked.post?.text]).toEqual([long, long])
})
