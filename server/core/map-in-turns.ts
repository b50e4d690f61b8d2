import { setImmediate } from 'node:timers/promises'

const ITEMS_A_TURN = 100

/** Maps a list whose items take a while; after each hundred, other requests have their turn. */
export async function mapInTurns<Item, Mapped>(items: readonly Item[], map: (item: Item) => Mapped): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ITEMS_A_TURN === 0) await setImmediate()
    mapped.push(map(item))
  }
  return mapped
}
