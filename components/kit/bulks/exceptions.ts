import type { Apart, PreviewedItem } from '#server/modules/review/bulk/schema.ts'

/** Whether it is left out of a decision on the others. */
export const isException = ({ error, apart }: PreviewedItem) => error !== undefined || apart !== undefined

/** Why an item of a bulk was not, or will not be, decided. */
export type Why = 'own' | 'decided' | 'changed' | 'gone' | 'refused' | 'claimed' | Apart

export interface Exceptions {
  why: Why
  /** Who decided the item in the interim. */
  decided?: PreviewedItem['decided']
  /** Who escalated or claimed the item, or has it open. */
  who?: string
  items: PreviewedItem[]
}

/** Groups the items that aren't decided with the others by reason, in the order of each reason's first item. */
export function groupExceptions(items: PreviewedItem[]): Exceptions[] {
  const groups = new Map<string, Exceptions>()
  for (const item of items) {
    const why = whyOf(item)
    const { decided } = item
    const who = item.error ? item.claimedByName : item.apart?.who
    const key = decided ? `${decided.outcome} ${decided.decidedByName}` : `${why} ${who ?? ''}`
    const group = groups.get(key)
    if (group) group.items.push(item)
    else groups.set(key, { why, ...(decided && { decided }), ...(who !== undefined && { who }), items: [item] })
  }
  return [...groups.values()]
}

function whyOf({ error, decided, apart }: PreviewedItem): Why {
  if (decided) return 'decided'
  if (error === undefined && apart) return apart.why
  if (error === 'FORBIDDEN') return 'own'
  if (error === 'NOT_FOUND') return 'gone'
  if (error === 'CLAIMED') return 'claimed'
  return error === 'CHANGED' ? 'changed' : 'refused'
}
