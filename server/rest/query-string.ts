/** Set on a query string that cannot be decoded: an invalid parameter of the route. */
export const UNDECODABLE = Symbol('undecodable')

/** The longest lists of the interface have a hundred entries (`userIds[]`); a query with more pairs than this is not decoded. */
export const MAX_QUERY_PAIRS = 256

type Value = string | Value[] | { [key: string]: Value }

/**
 * Parses a query as docs/interface/conventions.md describes: `name[]=a&name[]=b`, `name[0]=a` and repeated `name=a` are arrays,
 * `options[limit]=10` is an object, brackets raw or percent-encoded. Objects have no prototype to pollute. It runs before the caller is
 * known, so its work grows linearly with the length of the query string.
 */
export function parseQueryString(query: string): Record<string | symbol, unknown> {
  const parsed: Record<string | symbol, unknown> = Object.create(null)
  let pairs = 0
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = query.indexOf('&', start)
    if (end < 0) end = query.length
    if (end === start) continue
    pairs += 1
    if (pairs > MAX_QUERY_PAIRS) return { [UNDECODABLE]: true }
    readPair(parsed, query.slice(start, end))
  }
  return parsed
}

function readPair(parsed: Record<string | symbol, unknown>, pair: string): void {
  const cut = pair.indexOf('=')
  const name = decode(cut < 0 ? pair : pair.slice(0, cut))
  const value = decode(cut < 0 ? '' : pair.slice(cut + 1))
  if (name === undefined || value === undefined) parsed[UNDECODABLE] = true
  else put(parsed as Record<string, Value>, keysOf(name), value)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const DEPTH = 5

/** `options[limit]` → options, limit; `name[]` and `name[0]` → name and an empty key, which means "one more". */
function keysOf(name: string): string[] {
  if (!name.includes('[')) return [name]
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (match === null) return [name]
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, key]) =>
    /^\d+$/.test(key ?? '') ? '' : (key ?? ''),
  )
  return inner.length < DEPTH ? [match[1] ?? name, ...inner] : [name]
}

function put(target: Record<string, Value>, [key = '', ...rest]: string[], value: string): void {
  const there = target[key]
  const [next] = rest
  if (next === undefined) {
    target[key] = there === undefined ? value : append(there, value)
  } else if (next === '') {
    target[key] = append(there, value)
  } else {
    const inner = isObject(there) ? there : (Object.create(null) as Record<string, Value>)
    put(inner, rest, value)
    target[key] = inner
  }
}

/** Appends to a list in place: copying it for each value would take quadratic time. */
function append(there: Value | undefined, value: string): Value[] {
  if (there === undefined) return [value]
  if (!Array.isArray(there)) return [there, value]
  there.push(value)
  return there
}

function isObject(value: Value | undefined): value is { [key: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value)
}
