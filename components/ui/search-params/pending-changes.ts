import { type Texts, toQuery, withTexts } from './parsers.ts'

/** Browsers limit how often a page may change its URL. */
const WRITE_EVERY_MS = 50

/** Changes to the query of this path that aren't in the URL yet. */
let queued: Texts = {}
/** Changes in the URL that the router, which renders a URL in a transition, may not have rendered yet. */
let written: Texts = {}
let pathname = ''
let isStep = false
let writing: ReturnType<typeof setTimeout> | undefined
let writtenAt = 0
const listeners = new Set<() => void>()

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What of these keys differs from the URL that the router shows for this path. */
export function changesOf(path: string, keys: string[]): Texts {
  if (path !== pathname) return {}
  return Object.fromEntries(Object.entries({ ...written, ...queued }).filter(([key]) => keys.includes(key)))
}

/** Applies a change and writes it to the URL, together with others of the same moment. */
export function queueChange(
  texts: Texts,
  { history, isDeferred }: { history: 'replace' | 'push'; isDeferred: boolean },
): void {
  leaveOtherPath()
  queued = { ...queued, ...texts }
  isStep ||= history === 'push'
  if (!isDeferred) writing ??= setTimeout(writeChanges, Math.max(0, writtenAt + WRITE_EVERY_MS - performance.now()))
  notify()
}

/** Writes queued changes to the URL now. */
export function writeChanges(): void {
  clearTimeout(writing)
  writing = undefined
  leaveOtherPath()
  const params = new URLSearchParams(location.search)
  const changed = Object.entries(queued).filter(([key, text]) => params.get(key) !== text)
  if (changed.length > 0) {
    const texts = Object.fromEntries(changed)
    const url = location.pathname + toQuery(withTexts(params, texts)) + location.hash
    // Next listens to both.
    if (isStep) history.pushState(null, '', url)
    else history.replaceState(null, '', url)
    written = { ...written, ...texts }
    writtenAt = performance.now()
  }
  queued = {}
  isStep = false
}

/** Forgets what the router has rendered, and what the URL no longer says: after a step back, for example. */
export function acknowledge(rendered: URLSearchParams): void {
  const params = new URLSearchParams(location.search)
  const stays = ([key, text]: [string, string | null]) => rendered.get(key) !== text && params.get(key) === text
  const left = Object.entries(written).filter(stays)
  if (left.length === Object.keys(written).length) return
  written = Object.fromEntries(left)
  notify()
}

function leaveOtherPath(): void {
  if (pathname === location.pathname) return
  pathname = location.pathname
  queued = {}
  written = {}
  isStep = false
}

function notify(): void {
  for (const listener of listeners) listener()
}
