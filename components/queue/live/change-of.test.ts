import { expect, test } from 'vitest'
import { changeOf } from './change-of.ts'

test('what is decided or withdrawn leaves every list; what is held or taken back comes to what waits', () => {
  for (const name of ['v3.comment.didApprove', 'v3.post.didDecline', 'v3.comment.didDelete', 'desk.post.didWithdraw']) {
    expect([changeOf(name), changeOf(name, 'escalated')]).toEqual(['left', 'left'])
  }
  expect(changeOf('desk.post.didHold')).toBe('came')
  expect(changeOf('desk.comment.didUndo')).toBe('came')
})

test('what is escalated moves from one list to the other, and back', () => {
  const both = (name: string) => [changeOf(name), changeOf(name, 'escalated')]
  expect(both('desk.comment.didEscalate')).toEqual(['left', 'came'])
  expect(both('desk.comment.didDeescalate')).toEqual(['came', 'left'])
})

test('anything else is a reason to look again', () => {
  expect(changeOf('desk.comment.didEdit')).toBe('changed')
  expect(changeOf('v3.post.didFlag')).toBe('changed')
})
