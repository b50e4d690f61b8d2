import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acceptRendered, changesOf, followLink, queueChange, subscribe, writeChanges } from './pending-changes.ts'

const REPLACE = { history: 'replace', isDeferred: false } as const
const KEYS = ['text', 'item', 'kind']
const browser = new EventTarget()
let entries: { url: string; state: unknown }[]
let paths = 0
let path: string

/** A browser's URL and history, each test on a path of its own. */
beforeEach(() => {
  vi.useFakeTimers()
  paths += 1
  path = `/list-${paths}`
  entries = [{ url: `${path}?kind=post`, state: null }]
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  vi.stubGlobal('history', {
    get state() {
      return entries.at(-1)?.state
    },
    replaceState: (state: unknown, _title: string, url: string) => entries.splice(-1, 1, { url, state }),
    pushState: (state: unknown, _title: string, url: string) => entries.push({ url, state }),
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

const urlNow = () => new URL(entries.at(-1)?.url ?? '', 'http://desk.example')
const urls = () => entries.map(({ url }) => url)
/** The router renders a URL written here that may have been replaced since, and sets the browser's URL to it. */
function rendersWritten(url: string): void {
  entries.splice(-1, 1, { url, state: history.state })
  acceptRendered()
}
function opens(url: string): void {
  followLink()
  entries.push({ url, state: null })
  acceptRendered()
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
  expect(urls()).toEqual([`${path}?kind=post`])
  vi.runAllTimers()
  expect(urls()).toEqual([`${path}?text=boat`])
})

test('adds one entry to the history for a step', () => {
  queueChange({ text: 'boat' }, REPLACE)
  queueChange({ item: 'comment:1' }, { history: 'push', isDeferred: false })
  vi.runAllTimers()

  expect(urls()).toEqual([`${path}?kind=post`, `${path}?kind=post&text=boat&item=comment:1`])
})

test('writes a deferred change with the next one', () => {
  queueChange({ item: 'comment:1' }, { history: 'replace', isDeferred: true })
  vi.runAllTimers()
  expect(urls()).toEqual([`${path}?kind=post`])

  queueChange({}, REPLACE)
  vi.runAllTimers()
  expect(urls()).toEqual([`${path}?kind=post&item=comment:1`])
})

test('keeps the latest change whatever the router still renders of earlier ones, and however often', () => {
  write('comment:1')
  write('comment:2')
  write('comment:1')
  write('comment:3')
  for (const item of [1, 2, 1, 3, 1, 1]) {
    rendersWritten(`${path}?kind=post&item=comment:${item}`)
    expect(changesOf(path, KEYS)).toEqual({ item: 'comment:3' })
  }
})

test('writes a change to the latest query, not to an earlier one that the router renders too late', () => {
  write('comment:1')
  queueChange({ kind: null, item: null }, REPLACE)
  writeChanges()
  rendersWritten(`${path}?kind=post&item=comment:1`)
  queueChange({ text: 'boat' }, REPLACE)
  writeChanges()

  expect(urls()).toEqual([`${path}?text=boat`])
  expect(changesOf(path, KEYS)).toEqual({ kind: null, item: null, text: 'boat' })
})

test('forgets a written change once the router has rendered the URL of a link', () => {
  write('comment:1')
  opens(`${path}?kind=comment`)
  expect(changesOf(path, KEYS)).toEqual({})
})

test('writes again what the router leaves out of a URL that it sets by itself, as when the rest of a page arrives', () => {
  write('comment:1')
  queueChange({ text: 'Wa' }, REPLACE)
  writeChanges()
  entries.splice(-1, 1, { url: `${path}?kind=post`, state: null })
  queueChange({ text: 'Wat' }, REPLACE)
  acceptRendered()
  expect(changesOf(path, KEYS)).toEqual({ item: 'comment:1', text: 'Wat' })

  vi.runAllTimers()
  expect(urls()).toEqual([`${path}?kind=post&item=comment:1&text=Wat`])
  expect(changesOf(path, KEYS)).toEqual({ item: 'comment:1', text: 'Wat' })
})

test('a change made before the URL of a link is rendered applies to that URL', () => {
  write('comment:1')
  queueChange({ text: 'boat' }, REPLACE)
  opens(`${path}?kind=comment`)
  expect(changesOf(path, KEYS)).toEqual({ text: 'boat' })

  vi.runAllTimers()
  expect(urls().at(-1)).toBe(`${path}?kind=comment&text=boat`)
})

test('forgets a written change that was never rendered once the page is opened again', () => {
  write('comment:1')
  opens('/other')
  opens(`${path}?kind=post`)
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

test('after a step back to a URL that the router set too late, what was written there is shown and written again', () => {
  const unsubscribe = subscribe(() => undefined)
  write('comment:1')
  write('comment:2')
  rendersWritten(`${path}?kind=post&item=comment:1`)
  opens('/other')
  entries.pop()
  browser.dispatchEvent(new Event('popstate'))

  expect(changesOf(path, KEYS)).toEqual({ item: 'comment:2' })
  vi.runAllTimers()
  expect(urls()).toEqual([`${path}?kind=post&item=comment:2`])
  unsubscribe()
})

test('writes nothing to the URL of another page', () => {
  queueChange({ text: 'boat' }, REPLACE)
  entries.push({ url: '/other', state: null })
  vi.runAllTimers()

  expect(urls().at(-1)).toBe('/other')
  expect(changesOf('/other', KEYS)).toEqual({})
})
