import { expect, test } from 'vitest'
import { parseStat, statementsPerRequest } from './costs.ts'

test('reads parent and CPU time after a command with spaces and parentheses', () => {
  expect(parseStat('42 (postgres: a (b) c) S 7 42 42 0 -1 4194560 1 2 3 4 150 25 40 10 20 0 1 0 99')).toEqual({
    parent: 7,
    ownMs: 1_750,
    endedChildrenMs: 500,
  })
})

test('counts what each request runs, and apart from it what runs in batches beside it', () => {
  const before = new Map([
    ['page', 50],
    ['seal', 10],
  ])
  const after = new Map([
    ['page', 150],
    ['authors', 200],
    ['seal', 20],
  ])
  expect(statementsPerRequest(before, after, 100)).toEqual({ statements: 3, background: 0.1 })
})
