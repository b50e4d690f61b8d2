import { expect, test } from 'vitest'
import { compileSpace } from '#server/modules/rules/judging/compile-space.ts'
import { DEAREST_RULES } from '#server/testing/dearest-rules.ts'

/** The first rounds compile Docket itself. */
const ROUNDS = 8
/** A turn of the event loop in which others wait, in milliseconds of this thread on a processor: a busy machine doesn't add to it. */
const LONGEST_TURN_MS = 20

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, isDone] = [0, false]
  let start = process.threadCpuUsage()
  const endTurn = () => {
    const { user, system } = process.threadCpuUsage(start)
    longest = Math.max(longest, (user + system) / 1_000)
    start = process.threadCpuUsage()
    if (!isDone) setImmediate(endTurn)
  }
  setImmediate(endTurn)
  await work()
  isDone = true
  return longest
}

test('while the dearest rules that a space may have are compiled, no turn of the event loop is longer than 20 ms', async () => {
  const turns: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) turns.push(await longestTurn(() => compileSpace(DEAREST_RULES)))
  expect(Math.min(...turns)).toBeLessThan(LONGEST_TURN_MS)
})
