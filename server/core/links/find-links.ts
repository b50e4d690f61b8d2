import { isEnding } from '#server/core/links/endings.ts'
import { toUnicode } from '#server/core/links/to-unicode.ts'

/** A link in a text, from `from` to `to` in UTF-16 units. */
export interface WrittenLink {
  from: number
  to: number
  /** Where a browser would go: in lower case and ASCII, without a dot at the end. */
  domain: string
  /** Domain, path and query, without what seldom changes where it leads: `www.`, a slash at the end, and what follows a `#`. */
  address: string
  /** As it is compared with the allow-list: with its scheme if it has one, its host as a browser reads it, and the rest as it was written. */
  written: string
  /**
   * `address`: with a scheme, two slashes, or `www.`. `domain`: without, but with a path, or an ending that nobody writes by accident. `maybe`: what
   * could be a domain (*README.md*, *thanks.My*, the name of a mailbox): a link only to those who look for this domain.
   */
  form: 'address' | 'domain' | 'maybe'
}

/** As a browser takes them: in `http:` addresses each may be written like this. */
const DOTS = '.\u3002\uff0e\uff61'
/** What a browser leaves out of a host. */
const UNSEEN = String.raw`\u00ad\u034f\u180b-\u180f\u200b\u2060-\u2064\ufe00-\ufe0f\ufeff`
/** Letters of scripts with spaces between words: in others, a link may follow a letter, and end before one. */
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSEEN}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]`
/** The next link begins here, whatever stands before it in a name or a host, or a sign that separates links in what follows. */
const NEXT = String.raw`(?:https?|ftp):[\/\\]`
const PATH = String.raw`[\/\\?#](?:(?![^\w\/\\?=&#%+.~:\-]${NEXT})[^\s<>"\`\p{Cc}])*`
/** Two slashes after a sign begin the next one. */
const REST = String.raw`(?:(?!${NEXT})[^\s<>"\`\p{Cc}\/\\?#])*(?:(?!(?<!${LETTER})[\/\\]{2})${PATH})?`
/** A scheme, anywhere; a browser takes any number of slashes and backslashes after those that it opens itself. */
const SCHEME = String.raw`(?:https?|ftp|wss?):[\/\\]*|[a-z][a-z0-9+.\-]{0,20}:\/\/(?![\/\\])`
/** Two slashes that begin something, as in `[text](//example.com)`. */
const SLASHES = String.raw`(?<!${LETTER}|[\/\\])[\/\\]{2}(?=[\p{L}\p{N}])`
const LABEL = String.raw`(?:(?!(?:https?|ftp):)(?:${LETTER}|[_\-])[${UNSEEN}]*){1,63}`
/** Within an e-mail address, a path or a name; *see...example.com* and *_example.com_* begin one. */
const WITHIN = String.raw`(?<!(?:${LETTER}|[@%\/\\]|(?<!\.)\.)[_\-${UNSEEN}]*)`
/** Not the marks around a sentence, as in *_see example.com._* */
const HAS_LETTER = `(?!-)(?=[_\\-${UNSEEN}]{0,63}${LETTER})`
/** Labels with dots between them. Each character belongs to one part only, so that this takes linear time. */
const HOST = `(?=${LETTER})${WITHIN}${LABEL}(?:[${DOTS}]${HAS_LETTER}${LABEL})+`
const AFTER_HOST = String.raw`(?::\d{1,5})?(?:${PATH})?`
const LINK = new RegExp(`(?<scheme>${SCHEME})${REST}|(?<slashes>${SLASHES})${REST}|${HOST}`, 'giv')
const DOMAIN = new RegExp(HOST, 'giv')

/** The links in a text, in their order. Linear in its length. */
export function findLinks(text: string): WrittenLink[] {
  return linksBy(LINK, text, 0)
}

function linksBy(pattern: RegExp, text: string, from: number): WrittenLink[] {
  const links: WrittenLink[] = []
  const looking = new RegExp(pattern)
  looking.lastIndex = from
  for (let match = looking.exec(text); match !== null; match = looking.exec(text)) {
    const opening = (match.groups?.scheme ?? match.groups?.slashes ?? '').length
    if (opening === 0 && !isDomain(match[0])) continue
    const read = readLinks(text, match, opening)
    links.push(...read)
    // What was cut off may begin with the next one.
    looking.lastIndex = read.at(-1)?.to ?? looking.lastIndex
    // As in *https://!example.com*, which no browser could open.
    if (read.length === 0 && opening > 0)
      links.push(...linksBy(DOMAIN, text.slice(0, looking.lastIndex), match.index + opening))
  }
  return links
}

/**
 * *[text](https://one.com)@two.com* and *[url=https://one.com]text@two.com* lead to one.com where Markdown or BBCode is read, and by themselves to two.com:
 * both are links, one after the other. A name without a dot after the bracket is somebody who is mentioned.
 */
function readLinks(text: string, { 0: found, index, groups }: RegExpExecArray, opening: number): WrittenLink[] {
  const end = index + found.length
  const whole = opening === 0 ? found + afterHost(text, end) : found
  const read = (part: string) => firstLink(part, index, groups?.scheme, opening)
  const link = read(whole)
  if (link === undefined) return []
  const closing = opening === 0 ? -1 : bracketBeforeAt(whole, opening)
  const inBrackets = closing < 0 ? undefined : read(whole.slice(0, closing))
  const isMailbox = opening === 0 && text.charAt(end) === '@'
  if (inBrackets === undefined) return [isMailbox ? { ...link, form: 'maybe' } : link]
  const isOther = link.domain !== inBrackets.domain && link.domain.includes('.')
  return isOther ? [inBrackets, { ...link, from: index + closing + 1 }] : [inBrackets]
}

/** Where a bracket closes that isn't opened in it, before the `@` of what a browser takes for a name; -1 without one. */
function bracketBeforeAt(whole: string, opening: number): number {
  const name = /^[^/\\?#]*@/.exec(whole.slice(opening))?.[0] ?? ''
  let open = 0
  for (const { 0: bracket, index } of name.matchAll(/[()[\]]/g)) {
    open += '(['.includes(bracket) ? 1 : -1
    if (open < 0) return opening + index
  }
  return -1
}

/** Not a number, or a word that a hyphen cuts off. */
function isDomain(host: string): boolean {
  const labels = labelsOf(host)
  const isNamed = labels.every((label) => /^(?!-).*(?<!-)$/.test(label))
  return isNamed && /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)_*$/iu.test(labels.at(-1) ?? '')
}

const labelsOf = (host: string) => host.replaceAll(new RegExp(`[${UNSEEN}]`, 'g'), '').split(new RegExp(`[${DOTS}]`))

function afterHost(text: string, from: number): string {
  const looking = new RegExp(AFTER_HOST, 'ivy')
  looking.lastIndex = from
  return looking.exec(text)?.[0] ?? ''
}

function firstLink(whole: string, from: number, scheme: string | undefined, opening: number): WrittenLink | undefined {
  for (const found of readingsOf(whole, opening)) {
    const link = toLink(found, scheme, opening > 0)
    if (link !== undefined) return { from, to: from + found.length, ...link }
  }
  return undefined
}

/** The whole, or what stands before a sign that no host has: *https://one.com,https://two.com*. */
function readingsOf(whole: string, opening: number): string[] {
  const found = endOfHost(withoutPunctuation(whole))
  const starts = [opening + (/^[^/\\?#]*@/.exec(found.slice(opening))?.[0].length ?? 0), opening]
  const ends = starts
    .map((start) => start + found.slice(start).search(NO_NAME))
    .filter((end, index) => end > (starts[index] ?? 0))
  return [found, ...ends.map((end) => found.slice(0, end))]
}

const NO_NAME = new RegExp(String.raw`[[\p{P}\p{Sm}\p{Sc}\p{Sk}\p{C}]--[_%\-${DOTS}${UNSEEN}]]`, 'v')

type Target = Omit<WrittenLink, 'from' | 'to'>

/** Names have no other letters once they are in ASCII, whatever a browser takes as a host. */
const NAME = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[\da-f:.]+\])$/

/** Punctuation that is in no name, though `URL` takes it: *https://example.com、*. Some scripts have signs within words. */
const IN_NO_NAME = /[\p{P}--[\-_.·・׳״]]/v

function isName(domain: string): boolean {
  return NAME.test(domain) && !(domain.includes('xn--') && IN_NO_NAME.test(toUnicode(domain)))
}

function toLink(found: string, scheme: string | undefined, isAddress: boolean): Target | undefined {
  const rest = found.slice(scheme?.length ?? 0)
  const url = URL.parse(`${schemeOf(scheme) ?? 'http'}://${rest.replace(/^[/\\]+/, '')}`)
  const domain = url?.hostname.replace(/\.$/, '') ?? ''
  if (url === null || !isName(domain)) return undefined

  // `http:` in a sentence is followed by no slashes, and the word after it has no dot.
  const isNamed = /[.:]/.test(domain) || /[/\\]{2}$/.test(scheme ?? '')
  const path = pathOf(rest)
  const form = isAddress || domain.startsWith('www.') ? 'address' : formOf(rest, path)
  if (!isNamed) return undefined
  return {
    domain,
    address: withoutWww(domain) + url.pathname.replace(/\/$/, '') + url.search,
    written: `${isAddress ? `${schemeOf(scheme) ?? scheme?.split(':')[0]?.toLowerCase()}://` : ''}${writtenHost(url, rest, path)}${path.replaceAll('\\', '/')}`,
    form,
  }
}

/** The scheme by which a browser reads the rest; undefined for one that only apps know. */
function schemeOf(scheme = 'http:'): string | undefined {
  return /(https?|ftp|wss?):/i.exec(scheme)?.[1]?.toLowerCase()
}

/** In the letters in which it was written, without a name and a password before it. */
function writtenHost({ hostname, port }: URL, rest: string, path: string): string {
  const host = isAscii(rest.slice(0, rest.length - path.length)) ? hostname : toUnicode(hostname)
  return `${host.replace(/\.$/, '')}${port && `:${port}`}`
}

/** Of what has no scheme. */
function formOf(written: string, path: string): 'domain' | 'maybe' {
  const host = written.slice(0, written.length - path.length).replace(/:.*$/, '')
  return path.length > 1 || isEnding(labelsOf(host).at(-1) ?? '') ? 'domain' : 'maybe'
}

/** What follows the host, from the first slash, question mark or hash on. */
function pathOf(rest: string): string {
  const host = /^[/\\]*[^/\\?#]*/.exec(rest)?.[0] ?? ''
  return rest.slice(host.length)
}

/** In *https://evil.com吧* the sentence goes on after the domain: no ending mixes ASCII with such letters, so that no browser could go there. */
function endOfHost(found: string): string {
  return MIXED_ENDING.exec(found)?.[0] ?? found
}

const MIXED_ENDING = new RegExp(
  String.raw`^(?:[a-z][a-z0-9+.\-]*:)?[\/\\]*[^\/\\?#]*[${DOTS}][a-z]{2,}(?=[[\p{L}]--${LETTER}][^${DOTS}\/\\?#]*(?:$|[\/\\?#]))`,
  'iv',
)

const LAST = new RegExp(String.raw`[.,;:!?*_“”„‘’‚«»\}…'。，！？、；：」』）》${UNSEEN}]`, 'v')

/** Without the punctuation of the sentence around it; a closing bracket belongs to it where it was opened in it. */
function withoutPunctuation(found: string): string {
  let end = found.length
  const unopened = new Map(
    [')(', ']['].map(([close = '', open = '']) => [close, count(found, close) - count(found, open)]),
  )
  while (end > 0) {
    const last = found.charAt(end - 1)
    const brackets = unopened.get(last) ?? 0
    if (brackets <= 0 && !LAST.test(last)) break
    unopened.set(last, brackets - 1)
    end -= 1
  }
  return found.slice(0, end)
}

const count = (text: string, sign: string) => text.split(sign).length - 1
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = (text: string) => /^[\u0000-\u007f]*$/.test(text)

export function withoutWww(domain: string): string {
  return domain.replace(/^www\./, '')
}
