import { expect, test } from 'vitest'
import { changesOf } from './changes-of.ts'

test('lists changed fields first, nested ones by their path', () => {
  expect(
    changesOf({ version: 1, state: { is: 'held', of: ['a'] } }, { version: 1, state: { is: 'approved', of: ['a'] } }),
  ).toEqual([
    { field: 'state.is', before: 'held', after: 'approved', isChanged: true },
    { field: 'version', before: '1', after: '1', isChanged: false },
    { field: 'state.of', before: '["a"]', after: '["a"]', isChanged: false },
  ])
})

test('names what was added to a list and what was removed, instead of both lists', () => {
  expect(changesOf({ roles: ['support', 'moderator'] }, { roles: ['support', 'admin', 'auditor'] })).toEqual([
    { field: 'roles', before: 'moderator', after: 'admin, auditor', isChanged: true, isList: true },
  ])
  expect(changesOf({ roles: [] }, { roles: ['admin'] })).toEqual([
    { field: 'roles', before: undefined, after: 'admin', isChanged: true, isList: true },
  ])
})

test('shows one side for a field that was added or removed', () => {
  expect(changesOf(undefined, { roles: [], note: null })).toEqual([
    { field: 'roles', before: undefined, after: '[]', isChanged: true },
    { field: 'note', before: undefined, after: 'null', isChanged: true },
  ])
  expect(changesOf({ name: 'a' }, undefined)).toEqual([
    { field: 'name', before: 'a', after: undefined, isChanged: true },
  ])
  expect(changesOf(undefined, undefined)).toEqual([])
})
