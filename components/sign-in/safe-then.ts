/** Where to go on after the door: a path of this desk, whatever the link says. */
export function safeThen(then: string | undefined): string {
  const origin = 'http://desk.invalid'
  if (!then?.startsWith('/') || !URL.canParse(then, origin)) return '/queue'
  const url = new URL(then, origin)
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : '/queue'
}
