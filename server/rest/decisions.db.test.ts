import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'

const { database, url } = await testDatabase()
const make = factoriesOf(database)
const { communityId } = await make.heldComment()

/** One connection, so that all its statements and plans are in one place. */
async function narrowApi() {
  const narrow = openDatabase({ url, connections: 1, onError: () => {} })
  const recorded = recordStatements(narrow.pool)
  const api = await testApi(narrow)
  onTestFinished(() => narrow.close())
  return { narrow, api, recorded }
}

async function moderatorToken(api: Awaited<ReturnType<typeof testApi>>) {
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: ['community-moderator'] })
  return api.tokenOf(userId)
}

test.each(['approve', 'decline'])('%s takes one statement to read and one to change', async (verb) => {
  const { api, recorded } = await narrowApi()
  const token = await moderatorToken(api)
  const decideOne = async () => {
    const { commentId } = await make.heldComment({ communityId })
    recorded.clear()
    return api.call('POST', `/api/v3/comments/${commentId}/${verb}`, { token })
  }

  await decideOne()
  const answer = await decideOne()

  expect(answer.status).toBe(200)
  expect(recorded.all).toEqual([
    expect.stringContaining('page as materialized'),
    expect.stringContaining('with moved as'),
  ])
})

test.each(['an admin token', 'a moderator'])('the statements of a decision by %s keep their plans', async (who) => {
  const { narrow, api } = await narrowApi()
  const token = who === 'a moderator' ? await moderatorToken(api) : await api.tokenOf()
  for (let count = 0; count < 20; count += 1) {
    const { commentId } = await make.heldComment({ communityId })
    expect((await api.call('POST', `/api/v3/comments/${commentId}/approve`, { token })).status).toBe(200)
  }

  // PostgreSQL plans five calls for their values before it compares; changed statistics make it plan once more.
  const { rows } = await narrow.pool.query(`
    select statement from pg_prepared_statements where custom_plans + generic_plans >= 20 and custom_plans > 10`)
  expect(rows).toEqual([])
  const { rows: kept } = await narrow.pool.query(`
    select count(*)::int as count from pg_prepared_statements
    where generic_plans >= 10 and (statement like '%page as materialized%' or statement like '%with moved as%')`)
  expect(kept).toEqual([{ count: 2 }])
})

test('answers a decision with what the caller can see, and publishes what everyone can see', async () => {
  const { api } = await narrowApi()
  const token = await moderatorToken(api)
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
  const { api } = await narrowApi()
  const token = await moderatorToken(api)
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
