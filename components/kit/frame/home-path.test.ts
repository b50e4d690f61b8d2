import { expect, test } from 'vitest'
import { homePathOf } from './home-path.ts'

test('starts in the queue for those who review, and with the people for support', () => {
  expect(homePathOf({ reviews: true, opens: ['users', 'settings'] })).toBe('/queue')
  expect(homePathOf({ reviews: false, opens: ['channels', 'messages', 'users', 'settings'] })).toBe('/users')
  expect(homePathOf({ reviews: false, opens: ['settings'] })).toBe('/settings')
})
