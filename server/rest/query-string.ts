/** Set on a query string that cannot be decoded: an invalid parameter of whatever was asked. */
export const UNDECODABLE = Symbol('undecodable')

type Value = string | Value[] | { [key: string]: Value }

/**
 * Reads a query string as this interface writes it (WIRE.md, section 1): `name[]=a&name[]=b`, `name[0]=a` and repeated `name=a` are
 * arrays, `options[limit]=10` is an object, brackets raw or percent-encoded. Objects have no prototype to pollute.
 */
export function parseQueryString(query: string): Record<string | symbol, unknown> {
  const parsed: Record<string | symbol, unknown> = Object.create(null)
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const cut = pair.indexOf('=')
    const name = decode(cut < 0 ? pair : pair.slice(0, cut))
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1))
    if (name === undefined || value === undefined) {
      parsed[UNDECODABLE] = true
      continue
    }
    put(parsed as Record<string, Value>, keysOf(name), value)
  }
  return parsed
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
    target[key] = there === undefined ? value : [...listOf(there), value]
  } else if (next === '') {
    target[key] = [...listOf(there), value]
  } else {
    const inner = isObject(there) ? there : (Object.create(null) as Record<string, Value>)
    put(inner, rest, value)
    target[key] = inner
  }
}

function listOf(value: Value | undefined): Value[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isObject(value: Value | undefined): value is { [key: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value)
}
