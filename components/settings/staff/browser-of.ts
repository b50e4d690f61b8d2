const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\b(Headless)?Chrome\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** "Firefox, Linux", from a user agent; undefined for less common browsers. */
export function browserOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined
  const named = [BROWSERS, SYSTEMS].flatMap((known) => known.find(([, sign]) => sign.test(userAgent))?.[0] ?? [])
  return named.length > 0 ? named.join(', ') : undefined
}
