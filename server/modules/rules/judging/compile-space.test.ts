import { expect, test } from 'vitest'
import { compileSpace } from '#server/modules/rules/judging/compile-space.ts'
import { collectGarbage } from '#server/testing/collect-garbage.ts'
import { DEAREST_RULES } from '#server/testing/dearest-rules.ts'

test('the dearest rules that a space may have are compiled in many short turns, and take less than 100 MB', async () => {
  await collectGarbage()
  const before = process.memoryUsage()
  let [turns, isDone] = [0, false]
  const countTurn = () => {
    turns += 1
    if (!isDone) setImmediate(countTurn)
  }
  countTurn()
  const compiled = await compileSpace(DEAREST_RULES)
  isDone = true
  await collectGarbage()
  const after = process.memoryUsage()
  expect(compiled.failed).toEqual([])
  expect(turns).toBeGreaterThan(200)
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(100_000_000)
})
