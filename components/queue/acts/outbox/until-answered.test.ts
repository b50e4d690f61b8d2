import { expect, test } from 'vitest'
import { RequestFailed } from '#components/trpc/request.ts'
import { untilAnswered } from './until-answered.ts'

const unavailable = () => failureOf('SERVICE_UNAVAILABLE', 503)
const failureOf = (code: string, httpStatus: number) =>
  Object.assign(new RequestFailed(undefined), { message: 'failed', data: { code, httpStatus } })

/** Sends one after the other: what is thrown, or the answer. */
function sending(...outcomes: unknown[]) {
  const delays: number[] = []
  const send = async () => {
    const next = outcomes.shift()
    if (next instanceof Error) throw next
    return next
  }
  const answered = untilAnswered({ whenBack: async () => {} }, send, (tries) => delays.push(tries))
  return { delays, answered, left: outcomes }
}

test('what the server answers with 503, or doesn’t answer, is sent again until there is another answer', async () => {
  const { delays, answered } = sending(unavailable(), new Error('Failed to fetch'), unavailable(), 'undone')
  expect(await answered).toBe('undone')
  expect(delays).toEqual([0, 1, 2])
})

test('what is rejected is sent once', async () => {
  const { delays, answered, left } = sending(failureOf('CONFLICT', 409), 'undone')
  await expect(answered).rejects.toThrow('failed')
  expect([delays, left]).toEqual([[], ['undone']])
})
