import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acknowledge, changesOf, queueChange, subscribe, writeChanges } from './pending-changes.ts'

const REPLACE = { history: 'replace', isDeferred: false } as const
const KEYS = ['text', 'item', 'kind']
const browser = new EventTarget()
let entries: string[]
let paths = 0
let path: string

/** A browser's URL and history, each test on a path of its own. */
beforeEach(() => {
  vi.useFakeTimers()
  paths += 1
  path = `/list-${paths}`
  entries = [`${path}?kind=post`]
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  vi.stubGlobal('history', {
    replaceState: (_data: null, _title: string, url: string) => entries.splice(-1, 1, url),
    pushState: (_data: null, _title: string, url: string) => entries.push(url),
  })
  vi.stubGlobal('location', {
    get pathname() {
      return urlNow().pathname
    },
    get search() {
      return urlNow().search
    },
    hash: '',
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const urlNow = () => new URL(entries.at(-1) ?? '', 'http://desk.example')
/** What the router has rendered once it has caught up with the URL. */
const caughtUp = () => acknowledge(urlNow().searchParams)
/** The router renders a URL that may have been replaced since, and sets the browser's URL to it. */
function renders(url: string): void {
  entries.splice(-1, 1, url)
  caughtUp()
}
function write(item: string): void {
  queueChange({ item }, REPLACE)
  writeChanges()
}

test('applies changes at once and writes those of the same moment together', () => {
  const heard = vi.fn()
  const unsubscribe = subscribe(heard)
  queueChange({ text: 'boat' }, REPLACE)
  queueChange({ kind: null }, REPLACE)
  unsubscribe()

  expect(changesOf(path, KEYS)).toEqual({ text: 'boat', kind: null })
  expect(heard).toHaveBeenCalledTimes(2)
  expect(entries).toEqual([`${path}?kind=post`])
  vi.runAllTimers()
  expect(entries).toEqual([`${path}?text=boat`])
})

test('adds one entry to the history for a step', () => {
  queueChange({ text: 'boat' }, REPLACE)
  queueChange({ item: 'comment:1' }, { history: 'push', isDeferred: false })
  vi.runAllTimers()

  expect(entries).toEqual([`${path}?kind=post`, `${path}?kind=post&text=boat&item=comment:1`])
})

test('writes a deferred change with the next one', () => {
  queueChange({ item: 'comment:1' }, { history: 'replace', isDeferred: true })
  vi.runAllTimers()
  expect(entries).toEqual([`${path}?kind=post`])

  queueChange({}, REPLACE)
  vi.runAllTimers()
  expect(entries).toEqual([`${path}?kind=post&item=comment:1`])
})

test('keeps a written change until the router has rendered it', () => {
  const before = urlNow().searchParams
  queueChange({ text: 'boat' }, REPLACE)
  writeChanges()

  acknowledge(before)
  expect(changesOf(path, KEYS)).toEqual({ text: 'boat' })
  caughtUp()
  expect(changesOf(path, KEYS)).toEqual({})
})

test('keeps the later of two changes while the router still renders the first', () => {
  write('comment:1')
  write('comment:2')
  renders(`${path}?kind=post&item=comment:1`)
  expect(changesOf(path, KEYS)).toEqual({ item: 'comment:2' })

  renders(`${path}?kind=post&item=comment:2`)
  expect(changesOf(path, KEYS)).toEqual({})
})

test('writes a change back to what the router renders too late', () => {
  write('comment:1')
  write('comment:2')
  renders(`${path}?kind=post&item=comment:1`)
  write('comment:1')

  expect(entries).toEqual([`${path}?kind=post&item=comment:1`])
  renders(`${path}?kind=post&item=comment:2`)
  expect(changesOf(path, KEYS)).toEqual({ item: 'comment:1' })
})

test('forgets a written change once the router has rendered the URL of a link', () => {
  write('comment:1')
  renders(`${path}?kind=comment`)
  expect(changesOf(path, KEYS)).toEqual({})
})

test('forgets a written change that was never rendered once the page is opened again', () => {
  caughtUp()
  write('comment:1')
  entries.push('/other', `${path}?kind=post`)
  caughtUp()
  expect(changesOf(path, KEYS)).toEqual({})
})

test('forgets a written change after a step back', () => {
  const unsubscribe = subscribe(() => undefined)
  queueChange({ text: 'boat' }, { history: 'push', isDeferred: false })
  writeChanges()
  entries.pop()
  browser.dispatchEvent(new Event('popstate'))
  unsubscribe()

  expect(changesOf(path, KEYS)).toEqual({})
})

test('writes nothing to the URL of another page', () => {
  queueChange({ text: 'boat' }, REPLACE)
  entries.push('/other')
  vi.runAllTimers()

  expect(entries.at(-1)).toBe('/other')
  expect(changesOf('/other', KEYS)).toEqual({})
})
