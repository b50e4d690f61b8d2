import { expect, test } from 'vitest'
import { parseStat } from './process-cpu.ts'

test('reads parent and CPU time after a command with spaces and parentheses', () => {
  expect(parseStat('42 (postgres: a (b) c) S 7 42 42 0 -1 4194560 1 2 3 4 150 25 40 10 20 0 1 0 99')).toEqual({
    parent: 7,
    ownMs: 1_750,
    endedChildrenMs: 500,
  })
})
