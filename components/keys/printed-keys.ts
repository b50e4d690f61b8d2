const PRINTED: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  shift: 'Shift',
  ' ': 'Space',
}

/** A combo as printed on the keys: ["Ctrl", "Z"]. */
export function printedKeys(combo: string, isMac: boolean): string[] {
  const mod = isMac ? '⌘' : 'Ctrl'
  return keysOf(combo).map((key) => (key === 'mod' ? mod : (PRINTED[key] ?? capital(key))))
}

/** A combo in `aria-keyshortcuts` format: "Control+Z". */
export function shortcutOf(combo: string): string {
  const named: Record<string, string> = { mod: 'Control', shift: 'Shift', '+': 'Plus', ' ': 'Space' }
  return keysOf(combo)
    .map((key) => named[key] ?? capital(key))
    .join('+')
}

/** The plus sign is a key too. */
const keysOf = (combo: string) => combo.split(/\+(?=.)/)
const capital = (key: string) => key.charAt(0).toUpperCase() + key.slice(1)
