/** A place in a text, in UTF-16 units, without its end. */
export interface FoundRange {
  from: number
  to: number
}

/** Splits a text at ranges, which may overlap and reach beyond it. The parts joined are the text. */
export function splitFound(text: string, found: FoundRange[]) {
  const parts: { text: string; isFound: boolean; at: number }[] = []
  let end = 0
  for (const { from, to } of found.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(from, end)
    const stop = Math.min(to, text.length)
    if (stop <= start) continue
    if (start > end) parts.push({ text: text.slice(end, start), isFound: false, at: end })
    parts.push({ text: text.slice(start, stop), isFound: true, at: start })
    end = stop
  }
  if (end < text.length) parts.push({ text: text.slice(end), isFound: false, at: end })
  return parts
}
