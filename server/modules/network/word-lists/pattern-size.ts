/** A class, an escape, a repetition with numbers, or any other character. */
const PARTS = /(?<set>\[\^?\]?(?:\\.|[^\]\\])*\])|\\.|\{(?<least>\d*)(?:,(?<most>\d*))?\}|./gsu

/** The size of a group so far, and of what a quantifier after it would repeat. */
interface Group {
  size: number
  last: number
}

/**
 * How much PostgreSQL builds for a pattern, in characters: what is repeated counts as often as it may be, as `x{255}` has 255. Every text that is written is
 * compared with all patterns, so this is what they cost.
 */
export function sizeOfPattern(pattern: string): number {
  const outer: Group[] = []
  let group: Group = { size: 0, last: 0 }
  const addPart = (size: number) => {
    group.size += size
    group.last = size
  }
  for (const { 0: part, groups } of pattern.matchAll(PARTS)) {
    if (groups?.least !== undefined) {
      const more = group.last * (Math.max(Number(groups.least), Number(groups.most ?? 0), 1) - 1)
      group.size += more
      group.last += more
    } else if (part === '(') {
      outer.push(group)
      group = { size: 0, last: 0 }
    } else if (part === ')') {
      const { size } = group
      group = outer.pop() ?? { size: 0, last: 0 }
      addPart(size + 2)
    } else addPart(groups?.set?.length ?? 1)
  }
  return outer.reduce((sum, { size }) => sum + size, group.size)
}
