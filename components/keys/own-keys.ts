/** How a person has changed the keys of the desk. */
export interface OwnKeys {
  /** Their own key for an act. */
  keys: Readonly<Record<string, string>>
  areSingleKeysOff: boolean
}

/** What does this act for them: their own key in the place of the first, and no single keys where these are off. */
export function combosInForce(act: string, combos: readonly string[], { keys, areSingleKeysOff }: OwnKeys): string[] {
  const { [act]: own } = keys
  const all = own === undefined ? combos : [own, ...combos.slice(1).filter((combo) => combo !== own)]
  return all.filter((combo) => !(areSingleKeysOff && isSingle(combo)))
}

/** One character, alone or with Shift: what a slip of the hand or of the voice can type (WCAG 2.2, 2.1.4). */
function isSingle(combo: string): boolean {
  return Array.from(combo.replace(/^shift\+/, '')).length === 1
}

/** Another key may be given to what has a character of its own; digits choose the first, the second … of something. */
export function isChangeable(combos: readonly string[]): boolean {
  const [first = ''] = combos
  return isSingle(first) && !/^\d$/.test(first)
}

/** Keys that move, press and close everywhere, and combinations that browsers and systems keep for themselves. */
const TAKEN = new Set([
  ...['Enter', 'Escape', 'Tab', ' ', 'Backspace', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
  ...['Home', 'End', 'PageUp', 'PageDown', 'F1', 'F3', 'F5', 'F6', 'F7', 'F10', 'F11', 'F12', 'ContextMenu'],
  ...Array.from('0123456789acdfghjklnopqrstuvwxyz-=+', (key) => `mod+${key}`),
])

/** Whether the desk may listen for it. Digits choose the first, the second … of something. */
export function isFree(combo: string): boolean {
  return !TAKEN.has(combo.replace(/^shift\+/, '')) && !/^\d$/.test(combo)
}

/** Keys that only come with others, or that the system has not made a key of yet. */
export function isModifier(key: string): boolean {
  return /^(?:Shift|Control|Alt|AltGraph|Meta|OS|Fn|CapsLock|Dead|Process|Unidentified)$/.test(key)
}

interface Key<Act extends string> {
  act: Act
  combos: readonly string[]
}

/** The act that has this key, counting those that are switched off. */
export function holderOf<Act extends string>(table: Key<Act>[], keys: OwnKeys['keys'], combo: string): Act | undefined {
  const own = { keys, areSingleKeysOff: false }
  return table.find(({ act, combos }) => combosInForce(act, combos, own).includes(combo))?.act
}

/** The person's keys after giving one to an act: whoever had it gets the key that becomes free, so that no act is without. */
export function withKey(
  table: Key<string>[],
  keys: OwnKeys['keys'],
  given: { act: string; combo: string },
): OwnKeys['keys'] {
  const usualOf = (act: string) => table.find((key) => key.act === act)?.combos[0]
  const holder = holderOf(table, keys, given.combo)
  const freed = keys[given.act] ?? usualOf(given.act)
  const after = { ...keys, [given.act]: given.combo }
  if (holder !== undefined && holder !== given.act && freed !== undefined) after[holder] = freed
  // A key that is the desk's own need not be kept.
  return Object.fromEntries(Object.entries(after).filter(([act, combo]) => combo !== usualOf(act)))
}
