const EXCERPT_LENGTH = 120
/** The length of an excerpt that has lines of its own: in the queue, in search results, on a person's page. */
export const LONG_EXCERPT_LENGTH = 280

/** How much is shown before what was found, and how far from the beginning that may be to be shown with it. */
const LEAD = 30
const NEAR_ENOUGH = 70

/** The beginning of a text, with an ellipsis where it goes on; undefined for an empty one. Cut between characters, not within one. */
export function excerptOf(text: string, length = EXCERPT_LENGTH): string | undefined {
  return beginningOf(text.trim(), length) || undefined
}

/** The part of a text from shortly before these words on, ignoring case; undefined unless they are further on than its beginning. */
export function matchOf(text: string, words: string): string | undefined {
  const at = text.search(new RegExp(RegExp.escape(words), 'iu'))
  return at <= NEAR_ENOUGH ? undefined : fromOn(text, startBefore(text, at))
}

interface Range {
  from: number
  to: number
}

/** The part of a text with the first of these places, and those places that are in it. */
export function excerptAround<Found extends Range>(text: string, found: Found[]): { text: string; found: Found[] } {
  const first = Math.min(...found.map(({ from }) => from))
  const start = first <= NEAR_ENOUGH || found.length === 0 ? 0 : startBefore(text, first)
  const part = fromOn(text, start)
  const by = start === 0 ? 0 : BEFORE.length - start
  const moved = found.map((one) => ({ ...one, from: one.from + by, to: Math.min(one.to + by, part.length) }))
  return { text: part, found: moved.filter(({ from, to }) => from < to) }
}

const BEFORE = '… '

function fromOn(text: string, start: number): string {
  return `${start === 0 ? '' : BEFORE}${beginningOf(text.slice(start), LONG_EXCERPT_LENGTH)}`
}

/** Where an excerpt begins that is to contain `at`: at the beginning of a word. */
function startBefore(text: string, at: number): number {
  const space = text.indexOf(' ', at - LEAD)
  return space === -1 || space >= at ? at : space + 1
}

function beginningOf(text: string, length: number): string {
  const end = endOf(text, length)
  return end < text.length ? `${text.slice(0, end).trimEnd()}…` : text
}

const CLUSTERS = new Intl.Segmenter()
/** As much as is read of a text to find the end of a character. */
const CLUSTER_LENGTH = 64

/** Where the first `length` code points end, or the last whole character among them. */
function endOf(text: string, length: number): number {
  let end = 0
  for (let count = 0; count < length && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  if (end >= text.length) return end
  return CLUSTERS.segment(text.slice(0, end + CLUSTER_LENGTH)).containing(end)?.index || end
}
