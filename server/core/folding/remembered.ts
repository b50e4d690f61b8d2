/** The characters that people write are few: what is found out about one is kept, for so many of them. */
const KEPT = 20_000
/** Longer clusters, with many marks on a letter, are rare and made up. */
const LENGTH_KEPT = 4

/** `find` with a memory of what it returned for each character. */
export function remembered<Value>(find: (character: string) => Value): (character: string) => Value {
  const known = new Map<string, Value>()
  return (character) => {
    const value = known.get(character)
    if (value !== undefined) return value
    const found = find(character)
    if (character.length <= LENGTH_KEPT && known.size < KEPT) known.set(character, found)
    return found
  }
}
