import { beforeEach, expect, test, vi } from 'vitest'
import { forgetAllDrafts, forgetDraft, keepDraft, readDraft } from './drafts.ts'

beforeEach(() => {
  const stored: Record<string, string> = {}
  const storage = Object.defineProperties(stored, {
    getItem: { value: (name: string) => stored[name] ?? null },
    setItem: { value: (name: string, value: string) => void Object.assign(stored, { [name]: value }) },
    removeItem: { value: (name: string) => void delete stored[name] },
  })
  vi.stubGlobal('sessionStorage', storage)
  return () => vi.unstubAllGlobals()
})

test('keeps the fields of each form and person apart until they are sent', () => {
  keepDraft('ada', 'note bo', { words: 'Third time' })
  keepDraft('ada', 'invite', { name: 'Cy', email: 'cy@example.org' })
  expect(readDraft('ada', 'note bo')).toEqual({ words: 'Third time' })
  expect(readDraft('eve', 'note bo')).toEqual({})
  forgetDraft('ada', 'note bo')
  expect(readDraft('ada', 'note bo')).toEqual({})
  expect(readDraft('ada', 'invite')).toEqual({ name: 'Cy', email: 'cy@example.org' })
})

test('forgets every draft of the tab on signing out, and nothing else', () => {
  keepDraft('ada', 'note bo', { words: 'Third time' })
  sessionStorage.setItem('docket.outbox.ada', '[]')
  forgetAllDrafts()
  expect(readDraft('ada', 'note bo')).toEqual({})
  expect(sessionStorage.getItem('docket.outbox.ada')).toBe('[]')
})

test('works without storage', () => {
  vi.stubGlobal('sessionStorage', undefined)
  keepDraft('ada', 'invite', { name: 'Cy' })
  forgetAllDrafts()
  expect(readDraft('ada', 'invite')).toEqual({})
})
