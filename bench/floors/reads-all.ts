/** Properties that only come from the database: an id, a name or a text. */
const IS_READ = /(^_id|[a-z]Id|^displayName|^text|^title)$/

/** The ids, names and texts in an answer that are nowhere in these rows: what a floor must read too, if it is one. */
export function notRead(answer: unknown, rows: unknown): string[] {
  const read = new Set<string>()
  forEachText(rows, (text) => read.add(text))
  const missing = new Set<string>()
  forEachText(answer, (text, property) => {
    if (property !== undefined && IS_READ.test(property) && !isRead(text, read)) missing.add(`${property}: ${text}`)
  })
  return [...missing]
}

/** A list has the beginnings of long texts. */
function isRead(text: string, read: ReadonlySet<string>): boolean {
  if (read.has(text) || !text.endsWith('…')) return read.has(text)
  const beginning = text.slice(0, -1)
  return [...read].some((whole) => whole.startsWith(beginning))
}

/** `property`: the name below which the text is, if any. */
function forEachText(value: unknown, act: (text: string, property?: string) => void, property?: string): void {
  if (typeof value === 'string') act(value, property)
  else if (Array.isArray(value)) for (const item of value) forEachText(item, act)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) forEachText(item, act, name)
}
