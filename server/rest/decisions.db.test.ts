import { expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const api = await testApi(database)
const { communityId } = await make.heldComment()

async function moderatorToken() {
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: ['community-moderator'] })
  return api.tokenOf(userId)
}

test('answers a decision with what the caller can see, and publishes what everyone can see', async () => {
  const token = await moderatorToken()
  const { commentId } = await make.heldComment({ communityId })
  const reply = { communityId, parentId: commentId }
  const waiting = await make.heldComment(reply)
  const open = await make.heldComment({ ...reply, approvalStatus: 'approved' })

  const { body } = await api.call('POST', `/api/v3/comments/${commentId}/approve`, { token })

  const event = await database.prisma.event.findFirstOrThrow({ where: { subjectId: commentId } })
  const payload = event.payload as Record<
    'comments' | 'commentChildren' | 'users' | 'communityUsers',
    Record<string, unknown>[]
  >
  const idsOf = (comments: Record<string, unknown>[]) => comments.map((comment) => comment.commentId)
  expect(idsOf(body.commentChildren).sort()).toEqual([waiting.commentId, open.commentId].sort())
  expect(idsOf(payload.commentChildren)).toEqual([open.commentId])
  expect(body.comments[0].children.toSorted()).toEqual([waiting.commentId, open.commentId].sort())
  expect(payload.comments[0]).toMatchObject({ commentId, approvalStatus: 'approved', children: [open.commentId] })
  const authors = payload.users.map(({ userId }) => userId)
  expect(body.users.map(({ userId }: { userId: string }) => userId)).toContain(waiting.userId)
  expect(authors).not.toContain(waiting.userId)
  expect(authors).toContain(open.userId)
})

test('publishes the oldest hundred public replies, however many are held beside them', async () => {
  const token = await moderatorToken()
  const { commentId } = await make.heldComment({ communityId })
  const reply = { communityId, parentId: commentId }
  for (let count = 0; count < 3; count += 1) await make.heldComment({ ...reply, createdAt: new Date(count) })
  for (let count = 0; count < 101; count += 1)
    await make.heldComment({ ...reply, approvalStatus: 'approved', createdAt: new Date(1_000 + count) })

  const { body } = await api.call('POST', `/api/v3/comments/${commentId}/approve`, { token })

  const event = await database.prisma.event.findFirstOrThrow({ where: { subjectId: commentId } })
  const payload = event.payload as { commentChildren: { approvalStatus: string }[] }
  const statuses = (children: { approvalStatus: string }[]) =>
    Object.fromEntries(
      ['pending', 'approved'].map((one) => [one, children.filter((child) => child.approvalStatus === one).length]),
    )
  expect(statuses(payload.commentChildren)).toEqual({ pending: 0, approved: 100 })
  expect(statuses(body.commentChildren)).toEqual({ pending: 3, approved: 97 })
})
