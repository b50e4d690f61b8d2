import { z } from 'zod'

/** A host that does not exist: a path that resolves to any other host leads away from this desk. */
const DESK = 'http://desk.invalid'

/** Two separators at the start make a browser read a host, and some proxies decode them first. */
const LOOKS_LIKE_A_HOST = /^\/(?:[/\\]|%2f|%5c)/i

/**
 * The path of this desk that a browser would open, or undefined if it would leave the desk. Checks the resolved path, not the input:
 * `/..//evil.example` resolves to `//evil.example`, which names a host.
 */
export function deskPathOf(given: string | undefined): string | undefined {
  if (!given?.startsWith('/') || !URL.canParse(given, DESK)) return undefined
  const { origin, pathname, search, hash } = new URL(given, DESK)
  const path = `${pathname}${search}${hash}`
  if (origin !== DESK || LOOKS_LIKE_A_HOST.test(path)) return undefined
  return URL.parse(path, DESK)?.href === `${DESK}${path}` ? path : undefined
}

/** A path of this desk to continue to, parsed by `deskPathOf`. */
export const DeskPath = z
  .string()
  .max(2000)
  .transform((given, context) => {
    const path = deskPathOf(given)
    if (path !== undefined) return path
    context.addIssue('must be a path of this desk')
    return z.NEVER
  })
