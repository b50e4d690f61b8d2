import { type Texts, toQuery, withTexts } from './parsers.ts'

/** Browsers limit how often a page may change its URL. */
const WRITE_EVERY_MS = 50

/** Changes to the query of this path that aren't in the URL yet. */
let queued: Texts = {}
/** Changes in the URL that the router, which renders a URL in a transition, may not have rendered yet. */
let written: Texts = {}
/** The query that the router rendered last, and those written since: it renders them late, one by one or several at once. */
let rendered = ''
let unrendered: string[] = []
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
  const params = new URLSearchParams(latestQuery())
  const changed = Object.entries(queued).filter(([key, text]) => params.get(key) !== text)
  if (changed.length > 0) {
    const texts = Object.fromEntries(changed)
    const after = withTexts(params, texts)
    const url = location.pathname + toQuery(after) + location.hash
    // Next listens to both.
    if (isStep) history.pushState(null, '', url)
    else history.replaceState(null, '', url)
    written = { ...written, ...texts }
    unrendered.push(after.toString())
    writtenAt = performance.now()
  }
  queued = {}
  isStep = false
}

/** Forgets what the router has rendered, and everything if it rendered a URL that wasn't written here, such as a link's. */
export function acknowledge(params: URLSearchParams): void {
  const query = params.toString()
  // Called again, by a component that has just been mounted.
  if (query === rendered && unrendered.includes(queryNow())) return
  rendered = query
  const index = unrendered.indexOf(query)
  unrendered = index === -1 ? [] : unrendered.slice(index + 1)
  const stays = ([key, text]: [string, string | null]) => unrendered.length > 0 && params.get(key) !== text
  const left = Object.entries(written).filter(stays)
  if (left.length === Object.keys(written).length) return
  written = Object.fromEntries(left)
  notify()
}

/** The query written last. The browser's may be an earlier one: the router sets it to each query that it renders. */
function latestQuery(): string {
  const query = queryNow()
  const isOwn = query === rendered || unrendered.includes(query)
  return isOwn ? (unrendered.at(-1) ?? query) : query
}

const queryNow = () => new URLSearchParams(location.search).toString()

function leaveOtherPath(): void {
  if (pathname === location.pathname) return
  pathname = location.pathname
  rendered = queryNow()
  forget()
}

/** After a step back or forward, the URL says what is shown. */
function takeStep(): void {
  forget()
  notify()
}

function forget(): void {
  queued = {}
  written = {}
  unrendered = []
  isStep = false
}

function notify(): void {
  for (const listener of listeners) listener()
}
