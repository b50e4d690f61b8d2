import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { testApi } from '#server/testing/api.ts'
import { asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const api = await testApi(database, { RATE_LIMITS: 'off' })
const { apiKey } = await createKey(systemCtx(database), { name: 'A classifier', allows: ['signals'] })
const { apiKey: appKey } = await createKey(systemCtx(database), { name: 'An app', allows: ['sessions'] })

const send = (signals: object[], { key = apiKey, named }: { key?: string; named?: string } = {}) =>
  api.call('POST', '/api/v1/signals', {
    body: { signals },
    headers: { 'x-api-key': key, ...(named !== undefined && { 'idempotency-key': named }) },
  })
const signalOf = (commentId: string, over: object = {}) => ({
  type: 'comment',
  id: commentId,
  name: 'toxicity',
  score: 0.9,
  ...over,
})
const stored = (subjectId: string) =>
  prisma.signal.findMany({ where: { subjectId }, orderBy: { name: 'asc' }, select: { name: true, score: true } })

test('stores the scores of a classifier, and moderators see them at the item, the highest first', async () => {
  const { commentId, communityId } = await make.heldComment()
  const measuredAt = '2026-11-20T12:00:00+02:00'
  const answer = await send([
    signalOf(commentId, { name: 'spam', score: 0.25 }),
    signalOf(commentId, { modelVersion: 'v3', measuredAt }),
  ])
  expect(answer).toMatchObject({ status: 200, body: { recorded: 2, unchanged: 0, unknown: [] } })
  const { userId } = await make.reviewerOf(communityId ?? '')
  const { signals } = await readItem(ctxOf(database, asUser(userId)), { subjectType: 'comment', subjectId: commentId })
  expect(signals).toEqual([
    { name: 'toxicity', score: 0.9, modelVersion: 'v3', measuredAt: '2026-11-20T10:00:00.000Z' },
    { name: 'spam', score: 0.25, measuredAt: expect.any(String) },
  ])
})

test('keeps the latest measurement, in whatever order and however often they arrive', async () => {
  const { commentId } = await make.heldComment()
  const at = (minute: number, score: number) =>
    signalOf(commentId, { score, measuredAt: `2026-11-20T12:0${minute}:00Z` })
  expect((await send([at(2, 0.2)])).body).toMatchObject({ recorded: 1 })
  expect((await send([at(1, 0.1)])).body).toMatchObject({ recorded: 0, unchanged: 1 })
  expect((await send([at(2, 0.7)])).body).toMatchObject({ recorded: 0, unchanged: 1 })
  expect((await send([at(3, 0.3), at(5, 0.5), at(4, 0.4)])).body).toMatchObject({ recorded: 1, unchanged: 2 })
  expect(await stored(commentId)).toEqual([{ name: 'toxicity', score: 0.5 }])
})

test('names unknown content, and stores the rest', async () => {
  const { commentId } = await make.heldComment()
  const unknown = { type: 'post', id: `none-${randomUUID()}` }
  const { body } = await send([
    signalOf(commentId),
    { ...signalOf('', unknown) },
    { ...signalOf('', unknown), name: 'b' },
  ])
  expect(body).toEqual({ recorded: 1, unchanged: 0, unknown: [unknown] })
})

test('the id of a comment is unknown as a post or a message', async () => {
  const { commentId } = await make.heldComment()
  const { body } = await send([signalOf(commentId, { type: 'post' }), signalOf(commentId, { type: 'message' })])
  expect(body).toMatchObject({ recorded: 0, unchanged: 0 })
  expect(await stored(commentId)).toEqual([])
})

test('calls at the same time about the same items all succeed, and the latest measurement stays', async () => {
  const comments = await Promise.all(Array.from({ length: 8 }, () => make.heldComment()))
  const calls = Array.from({ length: 12 }, (_, call) =>
    send(
      comments
        .toSorted(() => (call % 2) - 0.5)
        .map(({ commentId }) =>
          signalOf(commentId, { score: call / 20, measuredAt: new Date(1_750_000_000_000 + call).toISOString() }),
        ),
    ),
  )
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
  for (const { commentId } of comments) expect(await stored(commentId)).toEqual([{ name: 'toxicity', score: 11 / 20 }])
})

test('answers a repeated Idempotency-Key with the first answer', async () => {
  const { commentId } = await make.heldComment()
  const named = randomUUID()
  const [first, again] = [await send([signalOf(commentId)], { named }), await send([signalOf(commentId)], { named })]
  expect(first.body).toMatchObject({ recorded: 1 })
  expect(again.body).toEqual(first.body)
})

test('rejects scores, names and times that mean nothing, and keys that are not allowed it', async () => {
  const { commentId } = await make.heldComment()
  const ahead = new Date(Date.now() + 3_600_000).toISOString()
  const wrong = [
    { score: 1.01 },
    { score: -0.01 },
    { score: '0.5' },
    { name: 'Toxicity' },
    { name: '' },
    { name: `a${'b'.repeat(50)}` },
    { type: 'user' },
    { measuredAt: '2026-02-30T00:00:00Z' },
    { measuredAt: '2026-11-20T12:00:00' },
    { measuredAt: ahead },
    { modelVersion: '' },
    { modelVersion: 'v'.repeat(101) },
  ]
  for (const over of wrong) expect([over, (await send([signalOf(commentId, over)])).status]).toEqual([over, 422])
  expect((await send([])).status).toBe(422)
  expect((await send(Array.from({ length: 101 }, () => signalOf(commentId)))).status).toBe(422)
  expect((await send([signalOf(commentId)], { key: appKey })).status).toBe(403)
  expect(await stored(commentId)).toEqual([])
  expect((await send(Array.from({ length: 100 }, () => signalOf(commentId)))).body).toMatchObject({
    recorded: 1,
    unchanged: 99,
  })
})

test('what is deleted for good takes its signals along', async () => {
  const { commentId } = await make.heldComment()
  await send([signalOf(commentId)])
  const token = await api.tokenOf()
  const path = `/api/v4/comments/${commentId}?permanent=true`
  expect((await api.call('DELETE', path, { token })).status).toBe(200)
  expect(await stored(commentId)).toEqual([])
})
