import { expect, test } from 'vitest'
import { safeThen } from './safe-then.ts'

test('a path of this desk is where one goes on', () => {
  expect(safeThen('/queue?communityId=a&item=b#c')).toBe('/queue?communityId=a&item=b#c')
})

test.each([
  undefined,
  '',
  'queue',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  'javascript:alert(1)',
])('%j leads to the queue', (then) => {
  expect(safeThen(then)).toBe('/queue')
})
