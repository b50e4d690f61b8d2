interface Move {
  ids: string[]
  side: 'before' | 'after'
  of: string
}

/** The order once some are moved to one side of another. One that is moved to its own side stays. */
export function moveItem(order: string[], { ids, side, of }: Move): string[] {
  const others = order.filter((id) => !ids.includes(id))
  if (ids.includes(of)) return order
  const at = others.indexOf(of) + (side === 'after' ? 1 : 0)
  return [...others.slice(0, at), ...order.filter((id) => ids.includes(id)), ...others.slice(at)]
}
