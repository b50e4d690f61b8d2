import { expect, test } from 'vitest'
import { statementsPerRequest } from './statement-counts.ts'

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
