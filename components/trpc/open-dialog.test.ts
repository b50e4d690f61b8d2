import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepOpenDialog, noteOpenDialog, takeOpenDialog } from './open-dialog.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('location', { pathname: '/queue' })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
})
afterEach(() => {
  noteOpenDialog(undefined)
  vi.unstubAllGlobals()
})

test('what is open when the session ends is opened again once', () => {
  noteOpenDialog({ userId: 'mina', open: 'escalate comment:1' })
  keepOpenDialog()
  expect(takeOpenDialog('mina')).toBe('escalate comment:1')
  expect(takeOpenDialog('mina')).toBeUndefined()
})

test('opens nothing for another person, on another page, or that was closed before', () => {
  noteOpenDialog({ userId: 'mina', open: 'ban' })
  keepOpenDialog()
  expect(takeOpenDialog('ben')).toBeUndefined()
  keepOpenDialog()
  vi.stubGlobal('location', { pathname: '/users/1' })
  expect(takeOpenDialog('mina')).toBeUndefined()
  noteOpenDialog(undefined)
  keepOpenDialog()
  expect(takeOpenDialog('mina')).toBeUndefined()
})
