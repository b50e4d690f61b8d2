import type { ListedAuditEntry as AuditEntry } from '#server/modules/desk/audit/schema.ts'

/** Fewer are read faster than a row that stands for them. */
const FOLDED_FROM = 5

export interface FoldedEntry {
  /** The first of them. */
  entry: AuditEntry
  /** What the row stands for, including the first. */
  entries: AuditEntry[]
}

/** One row for many entries of one request that do the same, one after the other; not for those whose first entry is in `unfolded`. */
export function foldEntries(entries: AuditEntry[], unfolded: ReadonlySet<string>): FoldedEntry[] {
  const groups: AuditEntry[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group?.[0]?.requestId === entry.requestId && group[0].action === entry.action) group.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap((group) => {
    const [first] = group
    return first && group.length >= FOLDED_FROM && !unfolded.has(first.auditId)
      ? [{ entry: first, entries: group }]
      : group.map((entry) => ({ entry, entries: [entry] }))
  })
}
