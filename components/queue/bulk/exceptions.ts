import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'

/** Why an item of a bulk was not, or will not be, decided. */
export type Why = 'own' | 'decided' | 'changed' | 'gone' | 'refused'

export interface Exceptions {
  why: Why
  /** Who decided the item in the interim. */
  decided?: PreviewedItem['decided']
  items: PreviewedItem[]
}

/** Groups the items that can't be decided by reason, in the order of each reason's first item. */
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

function whyOf({ error, decided }: PreviewedItem): Why {
  if (decided) return 'decided'
  if (error === 'FORBIDDEN') return 'own'
  if (error === 'NOT_FOUND') return 'gone'
  return error === 'CHANGED' ? 'changed' : 'refused'
}
