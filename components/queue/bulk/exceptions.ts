import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'

/** Why one of many was not, or will not be, done. */
export type Why = 'own' | 'decided' | 'changed' | 'gone' | 'refused'

export interface Exceptions {
  why: Why
  /** Who decided them meanwhile. */
  decided?: PreviewedItem['decided']
  items: PreviewedItem[]
}

/** Those that cannot be done, together with what cannot be done for the same reason; in the order of the first of each. */
export function groupExceptions(items: PreviewedItem[]): Exceptions[] {
  const groups = new Map<string, Exceptions>()
  for (const item of items) {
    const why = whyOf(item)
    const { decided } = item
    const key = decided ? `${decided.outcome} ${decided.decidedByName}` : why
    const group = groups.get(key)
    if (group) group.items.push(item)
    else groups.set(key, { why, ...(decided && { decided }), items: [item] })
  }
  return [...groups.values()]
}

function whyOf({ refusal, decided }: PreviewedItem): Why {
  if (decided) return 'decided'
  if (refusal === 'FORBIDDEN') return 'own'
  if (refusal === 'NOT_FOUND') return 'gone'
  return refusal === 'CHANGED' ? 'changed' : 'refused'
}
