import { expect, test } from 'vitest'
import { type Finding, type Health, healthAfter, isLost, UNKNOWN } from '#server/core/replicas/health.ts'

const after = (findings: Finding[]): Health => findings.reduce(healthAfter, UNKNOWN)

test('a replica is used after two good looks in a row', () => {
  expect(after(['caught-up']).isUsable).toBe(false)
  expect(after(['caught-up', 'behind', 'caught-up']).isUsable).toBe(false)
  expect(after(['caught-up', 'caught-up']).isUsable).toBe(true)
})

test.each(['behind', 'failed'] as const)('one look that finds it %s ends its use until two good ones', (finding) => {
  const used: Finding[] = ['caught-up', 'caught-up', 'caught-up', finding]
  expect(after(used).isUsable).toBe(false)
  expect(after([...used, 'caught-up']).isUsable).toBe(false)
  expect(after([...used, 'caught-up', 'caught-up']).isUsable).toBe(true)
})

test('it is lost after three failed looks in a row', () => {
  expect(isLost(after(['caught-up', 'failed', 'failed']))).toBe(false)
  expect(isLost(after(['failed', 'failed', 'behind', 'failed']))).toBe(false)
  expect(isLost(after(['failed', 'failed', 'failed']))).toBe(true)
})
