import { expect, test } from 'vitest'
import { changeOf } from '../../state/change-of.ts'

test('decided and withdrawn items leave every list, held and undone ones join the held list', () => {
  for (const name of ['v3.comment.didApprove', 'v3.post.didDecline', 'v3.comment.didDelete', 'desk.post.didWithdraw']) {
    expect([changeOf(name), changeOf(name, 'escalated')]).toEqual(['left', 'left'])
  }
  expect(changeOf('desk.post.didHold')).toBe('came')
  expect(changeOf('desk.comment.didUndo')).toBe('came')
})

test('escalated items move between the held and escalated lists', () => {
  const both = (name: string) => [changeOf(name), changeOf(name, 'escalated')]
  expect(both('desk.comment.didEscalate')).toEqual(['left', 'came'])
  expect(both('desk.comment.didDeescalate')).toEqual(['came', 'left'])
})

test('claimed items join the list of the claimant and leave it when released or decided', () => {
  const mine = (name: string) => changeOf(name, 'mine')
  expect([mine('desk.comment.didClaim'), mine('desk.post.didRelease')]).toEqual(['came', 'left'])
  expect([mine('v3.comment.didApprove'), mine('desk.comment.didUndo')]).toEqual(['left', 'came'])
  expect([changeOf('desk.comment.didClaim'), changeOf('desk.comment.didRelease')]).toEqual(['changed', 'changed'])
})

test('flagged items join the reported list and leave it when cleared or declined; of deleted ones the report may stay', () => {
  const reported = (name: string) => changeOf(name, 'reported')
  expect([reported('message.didFlag'), reported('desk.user.didUndo')]).toEqual(['came', 'came'])
  for (const name of ['v3.comment.didClearFlag', 'message.didClearflag', 'v3.post.didDecline'])
    expect([name, reported(name)]).toEqual([name, 'left'])
  for (const name of ['v3.comment.didApprove', 'user.didUnflag', 'desk.post.didHold', 'v5.message.didDelete'])
    expect([name, reported(name)]).toEqual([name, 'changed'])
})

test('any other event triggers a reload', () => {
  expect(changeOf('desk.comment.didEdit')).toBe('changed')
  expect(changeOf('v3.post.didFlag')).toBe('changed')
})
