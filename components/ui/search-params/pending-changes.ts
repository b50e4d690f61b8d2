import { type Texts, toQuery, withTexts } from './parsers.ts'

/** Browsers limit how often a page may change its URL. */
const WRITE_EVERY_MS = 50
/** Kept with a history entry whose URL was written here: the query, as the router may set the entry's URL to an earlier one later. */
interface Mark {
  written: string
}

/** Changes to the query of this path that aren't in the URL yet. */
let queued: Texts = {}
/**
 * Changes written to the URL. The router renders each URL in a transition, late, and sets the browser's URL to it, or to an earlier one when the
 * rest of a page arrives: these stay in force until somebody goes to a URL that wasn't written here.
 */
let written: Texts = {}
/** Whether somebody has followed a link whose URL may not be rendered yet. */
let hasFollowed = false
/** The query written last. */
let latest: string | undefined
let pathname = ''
let isStep = false
let writing: ReturnType<typeof setTimeout> | undefined
let writtenAt = 0
const listeners = new Set<() => void>()

export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('popstate', takeStep)
    addEventListener('click', noteLink, true)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    removeEventListener('popstate', takeStep)
    removeEventListener('click', noteLink, true)
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
  if (!isWrittenHere()) loseWritten()
  // The browser's URL may be an earlier one.
  const params = new URLSearchParams(latest ?? location.search)
  const changed = Object.entries(queued).filter(([key, text]) => params.get(key) !== text)
  if (changed.length > 0) {
    const texts = Object.fromEntries(changed)
    const after = withTexts(params, texts)
    const url = location.pathname + toQuery(after) + location.hash
    const mark: Mark = { written: after.toString() }
    // Next listens to both, and keeps the mark until it goes to another URL.
    if (isStep) history.pushState(mark, '', url)
    else history.replaceState(mark, '', url)
    written = { ...written, ...texts }
    latest = mark.written
    writtenAt = performance.now()
  }
  queued = {}
  isStep = false
}

/** Call it after the router has rendered a URL: one of a link says what is shown; one that the router set by itself is written again. */
export function acceptRendered(): void {
  if (latest === undefined || isWrittenHere()) return
  loseWritten()
  if (Object.keys(queued).length > 0) queueChange({}, { history: 'replace', isDeferred: false })
  else notify()
}

/** Says that a link is followed, before its URL is rendered. */
export function followLink(): void {
  hasFollowed = true
}

function noteLink({ target }: Event): void {
  if (target instanceof Element && target.closest('a[href]')) followLink()
}

/** The URL isn't the one written last: it is a link's, or what was written is to be written again. */
function loseWritten(): void {
  const again = hasFollowed ? {} : written
  forgetWritten()
  queued = { ...again, ...queued }
}

const markNow = () => (history.state as Partial<Mark> | null)?.written
const isWrittenHere = () => markNow() !== undefined

function leaveOtherPath(): void {
  if (pathname === location.pathname) return
  pathname = location.pathname
  forget()
}

/** After a step back or forward, the URL says what is shown, unless another query was written to the entry. */
function takeStep(): void {
  pathname = location.pathname
  forget()
  const params = new URLSearchParams(location.search)
  const meant = new URLSearchParams(markNow() ?? params)
  const missed = [...new Set([...params.keys(), ...meant.keys()])].filter((key) => params.get(key) !== meant.get(key))
  const texts = Object.fromEntries(missed.map((key) => [key, meant.get(key)]))
  if (missed.length > 0) queueChange(texts, { history: 'replace', isDeferred: false })
  else notify()
}

function forget(): void {
  queued = {}
  isStep = false
  forgetWritten()
}

function forgetWritten(): void {
  written = {}
  latest = undefined
  hasFollowed = false
}

function notify(): void {
  for (const listener of listeners) listener()
}
