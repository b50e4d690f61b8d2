import { domainToUnicode } from 'node:url'
import { isEnding } from '#server/core/links/endings.ts'

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
   * could be a domain (*README.md*, *thanks.My*): a link only to those who look for this domain.
   */
  form: 'address' | 'domain' | 'maybe'
}

/** As a browser takes them: in `http:` addresses each may be written like this. */
const DOTS = '.\u3002\uff0e\uff61'
/** Letters of scripts with spaces between words: in others, a link may follow a letter, and end before one. */
const LETTER = String.raw`[[\p{L}\p{M}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]`
/** The next link begins here, whatever stands before it in a name or a host, or a sign that separates links in what follows. */
const NEXT = String.raw`(?:https?|ftp):[\/\\]`
const PATH = String.raw`[\/\\?#](?:(?![^\w\/\\?=&#%+.~:\-]${NEXT})[^\s<>"\`\p{Cc}])*`
const REST = String.raw`(?:(?!${NEXT})[^\s<>"\`\p{Cc}\/\\?#])*(?:${PATH})?`
/** A scheme, anywhere; a browser takes any number of slashes and backslashes after those that it opens itself. */
const SCHEME = String.raw`(?:https?|ftp|wss?):[\/\\]*|[a-z][a-z0-9+.\-]{0,20}:[\/\\]{2,}`
/** Two slashes after a space or a bracket, as in `[text](//example.com)`. */
const SLASHES = String.raw`(?<![^\s\(\[\{'"=])[\/\\]{2}(?=${LETTER})`
/** Labels with dots between them. Each character belongs to one part only, so that this takes linear time. */
const HOST = String.raw`(?<!${LETTER}|[@\-.%\/\\])(?:${LETTER}|-){1,63}(?:[${DOTS}](?:${LETTER}|-){1,63})+(?::\d{1,5})?(?:${PATH})?`
const LINK = new RegExp(`(?<scheme>${SCHEME})${REST}|(?<slashes>${SLASHES})${REST}|${HOST}`, 'giv')

/** The links in a text, in their order. Linear in its length. */
export function findLinks(text: string): WrittenLink[] {
  const links: WrittenLink[] = []
  const looking = new RegExp(LINK)
  for (let match = looking.exec(text); match !== null; match = looking.exec(text)) {
    const { 0: whole, index, groups: { scheme, slashes } = {} } = match
    const opening = (scheme ?? slashes ?? '').length
    for (const found of readingsOf(whole, opening)) {
      const link = toLink(found, scheme, slashes !== undefined)
      if (link === undefined) continue
      links.push({ from: index, to: index + found.length, ...link })
      // What was cut off may begin with the next one.
      looking.lastIndex = index + found.length
      break
    }
  }
  return links
}

/** The whole, or what stands before a sign that no host has: *https://one.com,https://two.com*. */
function readingsOf(whole: string, opening: number): string[] {
  const found = withoutPunctuation(endOfHost(whole))
  const sign = found.slice(opening).search(/[,;|'()[\]{}<>，、；]/)
  return sign > 0 ? [found, found.slice(0, opening + sign)] : [found]
}

type Target = Omit<WrittenLink, 'from' | 'to'>

/** Names have no other letters once they are in ASCII, whatever a browser takes as a host. */
const NAME = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[\da-f:.]+\])$/

function toLink(found: string, scheme: string | undefined, hasSlashes: boolean): Target | undefined {
  const rest = found.slice(scheme?.length ?? 0)
  const url = URL.parse(schemeOf(scheme) === undefined ? found : `${schemeOf(scheme)}://${rest.replace(/^[/\\]+/, '')}`)
  const domain = url?.hostname.replace(/\.$/, '') ?? ''
  if (url === null || !NAME.test(domain)) return undefined

  const isAddress = scheme !== undefined || hasSlashes
  // `http:` in a sentence is followed by no slashes, and the word after it has no dot.
  const isNamed = /[.:]/.test(domain) || /[/\\]{2}$/.test(scheme ?? '')
  const path = pathOf(rest)
  const form = isAddress || domain.startsWith('www.') ? 'address' : formOf(rest, path)
  if (!isNamed || form === undefined) return undefined
  return {
    domain,
    address: withoutWww(domain) + url.pathname.replace(/\/$/, '') + url.search,
    written: `${isAddress ? `${url.protocol}//` : ''}${writtenHost(url, rest, path)}${path.replaceAll('\\', '/')}`,
    form,
  }
}

/** The scheme by which the rest is read; undefined for one that only apps know. */
function schemeOf(scheme = 'http:'): string | undefined {
  return /(https?|ftp|wss?):/i.exec(scheme)?.[1]?.toLowerCase()
}

/** In the letters in which it was written, without a name and a password before it. */
function writtenHost({ hostname, port }: URL, rest: string, path: string): string {
  const host = isAscii(rest.slice(0, rest.length - path.length)) ? hostname : domainToUnicode(hostname)
  return `${host.replace(/\.$/, '')}${port && `:${port}`}`
}

/** Of what has no scheme; undefined for what is no domain. */
function formOf(written: string, path: string): 'domain' | 'maybe' | undefined {
  const host = written.slice(0, written.length - path.length).replace(/:.*$/, '')
  const labels = host.split(new RegExp(`[${DOTS}]`))
  const ending = labels.at(-1) ?? ''
  const isDomain =
    labels.every((label) => /^(?!-).*(?<!-)$/.test(label)) && /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu.test(ending)
  if (!isDomain) return undefined
  return path.length > 1 || isEnding(ending) ? 'domain' : 'maybe'
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

const LAST = /[.,;:!?*_”’»\]}…'。，！？、；：」』）》]/

/** Without the punctuation of the sentence around it; a closing bracket belongs to it where it was opened in it. */
function withoutPunctuation(found: string): string {
  let end = found.length
  let unopened = count(found, ')') - count(found, '(')
  while (end > 0) {
    const last = found.charAt(end - 1)
    const isUnopened = last === ')' && unopened > 0
    if (!isUnopened && !LAST.test(last)) break
    if (isUnopened) unopened -= 1
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
