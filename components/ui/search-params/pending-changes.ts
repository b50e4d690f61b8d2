import { type Texts, toQuery, withTexts } from './parsers.ts'

/** Browsers limit how often a page may change its URL. */
const WRITE_EVERY_MS = 50
/** Marks the history entries whose URL was written here. */
const WRITTEN_HERE = { isWrittenHere: true }

/** Changes to the query of this path that aren't in the URL yet. */
let queued: Texts = {}
/**
 * Changes written to the URL. The router renders each URL in a transition, late, and sets the browser's URL to it: these stay in force until
 * it goes to a URL that wasn't written here.
 */
let written: Texts = {}
/** The query written last. */
let latest: string | undefined
let pathname = ''
let isStep = false
let writing: ReturnType<typeof setTimeout> | undefined
let writtenAt = 0
const listeners = new Set<() => void>()

export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', takeStep)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', takeStep)
  }
}

/** What of these keys may differ from the URL that the router shows for this path. */
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
  if (!isWrittenHere()) forgetWritten()
  // The browser's URL may be an earlier one.
  const params = new URLSearchParams(latest ?? location.search)
  const changed = Object.entries(queued).filter(([key, text]) => params.get(key) !== text)
  if (changed.length > 0) {
    const texts = Object.fromEntries(changed)
    const after = withTexts(params, texts)
    const url = location.pathname + toQuery(after) + location.hash
    // Next listens to both, and keeps the mark until it goes to another URL.
    if (isStep) history.pushState(WRITTEN_HERE, '', url)
    else history.replaceState(WRITTEN_HERE, '', url)
    written = { ...written, ...texts }
    latest = after.toString()
    writtenAt = performance.now()
  }
  queued = {}
  isStep = false
}

/** After the router has rendered a URL: one that wasn't written here, such as a link's, says what is shown. */
export function acceptRendered(): void {
  if (latest === undefined || isWrittenHere()) return
  forgetWritten()
  notify()
}

const isWrittenHere = () => Boolean((history.state as Partial<typeof WRITTEN_HERE> | null)?.isWrittenHere)

function leaveOtherPath(): void {
  if (pathname === location.pathname) return
  pathname = location.pathname
  forget()
}

/** After a step back or forward, the URL says what is shown. */
function takeStep(): void {
  forget()
  notify()
}

function forget(): void {
  queued = {}
  isStep = false
  forgetWritten()
}

function forgetWritten(): void {
  written = {}
  latest = undefined
}

function notify(): void {
  for (const listener of listeners) listener()
}
