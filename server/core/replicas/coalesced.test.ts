import { expect, test } from 'vitest'
import { coalesced } from '#server/core/replicas/coalesced.ts'
import { eventually } from '#server/testing/eventually.ts'

test('calls share a run that starts after them, and at most one runs at a time', async () => {
  const runs: PromiseWithResolvers<number>[] = []
  const ask = coalesced(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })

  const first = ask()
  const [second, third] = [ask(), ask()]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve(1)
  await expect(first).resolves.toBe(1)
  await eventually('the second run has begun', () => runs.length).toBe(2)
  runs[1]?.resolve(2)
  await expect(Promise.all([second, third])).resolves.toEqual([2, 2])
  void ask()
  expect(runs).toHaveLength(3)
})

test('a run that fails fails only its own calls', async () => {
  let fails = true
  const ask = coalesced(async () => {
    if (fails) throw new Error('connection lost')
    return 'answered'
  })

  const failing = ask()
  const following = ask()
  fails = false
  await expect(failing).rejects.toThrow('connection lost')
  await expect(following).resolves.toBe('answered')
})
