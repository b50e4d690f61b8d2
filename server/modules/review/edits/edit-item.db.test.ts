import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { readComment } from '#server/modules/content/comments/read-comment.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { editItem } from '#server/modules/review/edits/edit-item.ts'
import { readEarlier } from '#server/modules/review/items/read-earlier.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)

/** A held comment with a telephone number, its author, and a reviewer who may edit it. */
async function held() {
  const { commentId, communityId, userId } = await make.heldComment({
    data: { text: 'Call 555 0100', colour: 'red' },
  })
  await make.member({ communityId, userId })
  const subject = { subjectType: 'comment', subjectId: commentId } as const
  const reviewer = await make.reviewerOf(communityId)
  return { subject, communityId, author: as(asUser(userId)), reviewer: as(reviewer) }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

test('the reviewer’s text is published once it is approved, marked for everyone, and the author’s is kept', async () => {
  const { subject, author, reviewer } = await held()
  const { version } = await editItem(reviewer, { ...subject, version: 1, text: 'Call me' })
  expect(await readItem(reviewer, subject)).toMatchObject({
    ...{ text: 'Call me', isWaiting: true, editedBy: expect.any(String), mayEdit: true },
    history: expect.arrayContaining([expect.objectContaining({ what: 'edited', by: 'Some one' })]),
  })
  expect((await readEarlier(reviewer, subject)).map(({ text }) => text)).toEqual(['Call 555 0100'])

  await decide(reviewer, { ...subject, version, outcome: 'approved' })
  const event = await prisma.event.findFirstOrThrow({
    where: { subjectId: subject.subjectId, name: 'v3.comment.didApprove' },
  })
  const edited = { data: { text: 'Call me', colour: 'red' }, isEditedByReviewer: true }
  expect(event.payload).toMatchObject({ comments: [edited] })
  const { subjectId: commentId } = subject
  expect((await readComment(author, { commentId })).comments).toMatchObject([edited])

  await editComment(author, { commentId, data: { text: 'Call me, please' } })
  expect((await readComment(author, { commentId })).comments[0]?.isEditedByReviewer).toBeUndefined()
})

test('takes the right to review and to edit there, and is never for one’s own', async () => {
  const { subject, communityId, author } = await held()
  const edit = { ...subject, version: 1, text: 'Other words' }
  const stranger = await make.reviewerOf((await make.community()).communityId)
  await prisma.role.create({
    data: {
      roleId: 'only-reviews',
      scope: 'community',
      displayName: 'Only reviews',
      permissions: ['REVIEW_COMMUNITY_COMMENT'],
    },
  })
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: ['only-reviews'] })
  const denied = { stranger: as(stranger), author, without: as(asUser(userId)) }
  const codes = await Promise.all(Object.values(denied).map((ctx) => codeOf(editItem(ctx, edit))))
  expect(codes).toEqual(['NOT_FOUND', 'FORBIDDEN', 'FORBIDDEN'])
  expect(await readItem(denied.without, subject)).toMatchObject({ mayEdit: false, text: 'Call 555 0100' })
})

test('of an edit and a decision on the same version, or of two edits, exactly one is made', async () => {
  for (const outcome of ['approved', 'rejected', undefined] as const) {
    const { subject, communityId, reviewer } = await held()
    const colleague = as(await make.reviewerOf(communityId))
    const edit = { ...subject, version: 1, text: 'Other words' }
    const other = outcome
      ? decide(colleague, { ...subject, version: 1, outcome })
      : editItem(colleague, { ...edit, text: 'More words' })
    const codes = await Promise.all([codeOf(editItem(reviewer, edit)), codeOf(other)])
    expect(codes.toSorted()).toEqual(['CHANGED', 'done'])
    const { version } = await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })
    expect(version).toBe(2)
  }
})

test('what somebody else claimed is edited only by those who saw that', async () => {
  const { subject, communityId, reviewer } = await held()
  const colleague = await make.reviewerOf(communityId)
  await claim(as(colleague), subject)
  const edit = { ...subject, version: 1, text: 'Other words' }
  expect(await codeOf(editItem(reviewer, edit))).toBe('CHANGED')
  expect(await codeOf(editItem(reviewer, { ...edit, despiteClaimOf: colleague.userId }))).toBe('done')
})

test.each([
  ['the same text', { text: 'Call 555 0100' }],
  ['no text', { text: ' ' }],
  ['more than 100 KB with what its app keeps in it', { text: '漢'.repeat(20_000), title: '漢'.repeat(20_000) }],
])('%s is not saved', async (_, said) => {
  const { subject, reviewer } = await held()
  expect(await codeOf(editItem(reviewer, { ...subject, version: 1, ...said }))).toBe('INVALID_PARAMETERS')
  expect(await readItem(reviewer, subject)).toMatchObject({ text: 'Call 555 0100', item: { version: 1 } })
})

test('a post keeps its title unless that is edited too', async () => {
  const { postId, communityId } = await make.heldPost({ data: { title: 'Garden', text: 'Call 555 0100' } })
  const subject = { subjectType: 'post', subjectId: postId } as const
  const reviewer = as(await make.reviewerOf(communityId))
  await editItem(reviewer, { ...subject, version: 1, text: 'Call me' })
  expect(await readItem(reviewer, subject)).toMatchObject({ title: 'Garden', text: 'Call me', earlier: 1 })
  await editItem(reviewer, { ...subject, version: 2, title: 'My garden' })
  expect(await readItem(reviewer, subject)).toMatchObject({ title: 'My garden', text: 'Call me', earlier: 2 })
})
