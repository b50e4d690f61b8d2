import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toRequestError } from './request-error.ts'
import { trpc, trpcClient } from './trpc.ts'

const fetched = vi.fn<(url: string, options: RequestInit) => Promise<Response>>()

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => vi.unstubAllGlobals())

const respond = (answer: unknown) => fetched.mockResolvedValueOnce(Response.json(answer))
const NOT_FOUND = { message: 'Not found', data: { code: 'NOT_FOUND', httpStatus: 404, docket: { wire: 404_000 } } }

test('sends the queries of one moment in one request, and each gets its own answer', async () => {
  respond([{ result: { data: ['a view'] } }, { error: NOT_FOUND }])

  const [views, counts] = await Promise.allSettled([trpcClient.views.list.query(), trpcClient.review.counts.query()])

  expect(fetched.mock.calls.map(([url]) => url)).toEqual([
    `/api/trpc/views.list,review.counts?batch=1&input=${encodeURIComponent('{}')}`,
  ])
  expect(views).toEqual({ status: 'fulfilled', value: ['a view'] })
  expect(toRequestError(counts.status === 'rejected' && counts.reason)).toEqual({
    code: 'NOT_FOUND',
    httpStatus: 404,
    wire: 404_000,
  })
})

test('sends at most 20 queries in one request', async () => {
  for (const count of [20, 1]) respond(Array.from({ length: count }, () => ({ result: { data: count } })))

  const answers = await Promise.all(Array.from({ length: 21 }, () => trpcClient.live.position.query()))

  expect(answers).toEqual([...Array.from({ length: 20 }, () => 20), 1])
})

test('gives every query of a request the error that the whole request failed with', async () => {
  respond({ error: NOT_FOUND })

  const answers = await Promise.allSettled([trpcClient.views.list.query(), trpcClient.live.position.query()])

  for (const answer of answers)
    expect(toRequestError(answer.status === 'rejected' && answer.reason)).toMatchObject({ httpStatus: 404 })
})

test('aborts a request once every query in it is aborted, and not before', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  let sent: AbortSignal | null | undefined
  fetched.mockImplementationOnce((_url, { signal }) => {
    sent = signal
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  const answers = Promise.allSettled(
    [first, second].map(({ signal }) => trpcClient.views.list.query(undefined, { signal })),
  )
  await vi.waitUntil(() => sent !== undefined)

  first.abort()
  const early = sent?.aborted
  second.abort()

  expect([early, sent?.aborted]).toEqual([false, true])
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('sends a mutation alone, in a request that outlives the page', async () => {
  respond({ result: { data: { lease: 'token' } } })

  await trpcClient.leases.take.mutate({ subjectType: 'comment', subjectId: 'c1' })

  const [[url, options] = []] = fetched.mock.calls
  expect(url).toBe('/api/trpc/leases.take')
  expect(options).toMatchObject({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"subjectType":"comment","subjectId":"c1"}',
    keepalive: true,
  })
})

test('an answer without a result or an error is an error without details', async () => {
  respond({})

  const answer = await trpcClient.live.position.query().catch((error: unknown) => error)

  expect(answer).toBeInstanceOf(Error)
  expect(toRequestError(answer)).toEqual({})
})

test('keys start with the path, so that a filter of a router matches its procedures', () => {
  expect(trpc.review.pathKey()).toEqual([['review']])
  expect(trpc.review.item.pathFilter()).toEqual({ queryKey: [['review', 'item']] })
  expect(trpc.review.counts.queryKey()).toEqual([['review', 'counts'], { type: 'query' }])
  expect(trpc.review.matching.queryKey({ text: 'x' })).toEqual([
    ['review', 'matching'],
    { input: { text: 'x' }, type: 'query' },
  ])
  expect(trpc.reasons.order.mutationOptions().mutationKey).toEqual([['reasons', 'order']])
})
