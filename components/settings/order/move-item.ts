interface Move {
  ids: string[]
  side: 'before' | 'after'
  of: string
}

/** The order after moving some items to one side of another. Moving an item next to itself changes nothing. */
export function moveItem(order: string[], { ids, side, of }: Move): string[] {
  const others = order.filter((id) => !ids.includes(id))
  if (ids.includes(of)) return order
  const at = others.indexOf(of) + (side === 'after' ? 1 : 0)
  return [...others.slice(0, at), ...order.filter((id) => ids.includes(id)), ...others.slice(at)]
}
