/** A person's changes to the shortcuts. */
export interface OwnKeys {
  /** Their own combo for an act. */
  keys: Readonly<Record<string, string>>
  areSingleKeysOff: boolean
}

/** The combos of an act for this person: their own replaces the first one; single keys are left out if switched off. */
export function combosInForce(act: string, combos: readonly string[], { keys, areSingleKeysOff }: OwnKeys): string[] {
  const { [act]: own } = keys
  const all = own === undefined ? combos : [own, ...combos.slice(1).filter((combo) => combo !== own)]
  return all.filter((combo) => !(areSingleKeysOff && isSingle(combo)))
}

/** One character, alone or with Shift: what can be typed by accident or by speech input (WCAG 2.2, 2.1.4). */
function isSingle(combo: string): boolean {
  return Array.from(combo.replace(/^shift\+/, '')).length === 1
}

/** Whether people can change the shortcut: only one of a single character, and no digit, as these select the first, the second … option. */
export function isChangeable(combos: readonly string[]): boolean {
  const [first = ''] = combos
  return isSingle(first) && !/^\d$/.test(first)
}

/** Keys that move, press and close everywhere, and combos that browsers and systems reserve. */
const TAKEN = new Set([
  'Enter',
  'Escape',
  'Tab',
  ' ',
  'Backspace',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'F1',
  'F3',
  'F5',
  'F6',
  'F7',
  'F10',
  'F11',
  'F12',
  'ContextMenu',
  ...Array.from('0123456789acdfghjklnopqrstuvwxyz-=+', (key) => `mod+${key}`),
])

/** Whether the combo can be used as a shortcut. Digits are reserved for selecting options. */
export function isFree(combo: string): boolean {
  return !TAKEN.has(combo.replace(/^shift\+/, '')) && !/^\d$/.test(combo)
}

/** Keys that only work together with others, and incomplete compositions. */
export function isModifier(key: string): boolean {
  return /^(?:Shift|Control|Alt|AltGraph|Meta|OS|Fn|CapsLock|Dead|Process|Unidentified)$/.test(key)
}

interface Key<Act extends string> {
  act: Act
  combos: readonly string[]
}

/** The act that has this combo, including acts whose keys are switched off. */
export function holderOf<Act extends string>(table: Key<Act>[], keys: OwnKeys['keys'], combo: string): Act | undefined {
  const own = { keys, areSingleKeysOff: false }
  return table.find(({ act, combos }) => combosInForce(act, combos, own).includes(combo))?.act
}

/**
 * The shortcuts after assigning a combo to an act: if another act had it, that act gets the one that becomes free, so that none is left
 * without.
 */
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
  // A default shortcut needn't be stored.
  return Object.fromEntries(Object.entries(after).filter(([act, combo]) => combo !== usualOf(act)))
}
