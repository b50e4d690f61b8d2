/** How deep an object may be nested that a record has (docs/interface/conventions.md#lengths-and-characters). */
const LEVELS = 50
/** The depth down to which a path is reported. */
const PATH_DEPTH = 3

/** Reports the first value that no column can hold: U+0000, half a surrogate pair, a number out of range, excessive nesting. */
export function findUnstorable(record: object): string | undefined {
  const found = find(record, 0)
  return found && (found.path === '' ? `The record ${found.fault}` : `${found.path}: ${found.fault}`)
}

interface Found {
  path: string
  fault: string
}

function find(value: unknown, depth: number): Found | undefined {
  if (typeof value === 'string')
    return isStorable(value) ? undefined : faultAt('', 'contains a character that cannot be stored')
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : faultAt('', 'is too large a number')
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > LEVELS) return faultAt('', `is nested more than ${LEVELS} levels deep`)
  return findWithin(value, depth)
}

function findWithin(value: object, depth: number): Found | undefined {
  for (const [key, part] of Object.entries(value)) {
    if (!isStorable(key)) return faultAt('', 'has a field name with a character that cannot be stored')
    const found = find(part, depth + 1)
    if (found) return faultAt(depth + 1 === PATH_DEPTH || found.path === '' ? key : `${key}.${found.path}`, found.fault)
  }
  return undefined
}

function faultAt(path: string, fault: string): Found {
  return { path, fault }
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
