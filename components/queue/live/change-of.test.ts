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

test('what is flagged comes to what is reported, and leaves it with its flags or by being deleted; approving it changes nothing there', () => {
  const reported = (name: string) => changeOf(name, 'reported')
  expect([reported('message.didFlag'), reported('desk.user.didUndo')]).toEqual(['came', 'came'])
  for (const name of ['v3.comment.didClearFlag', 'message.didClearflag', 'v5.message.didDelete', 'v3.post.didDecline'])
    expect([name, reported(name)]).toEqual([name, 'left'])
  for (const name of ['v3.comment.didApprove', 'user.didUnflag', 'desk.post.didHold'])
    expect([name, reported(name)]).toEqual([name, 'changed'])
})

test('anything else is a reason to look again', () => {
  expect(changeOf('desk.comment.didEdit')).toBe('changed')
  expect(changeOf('v3.post.didFlag')).toBe('changed')
})
