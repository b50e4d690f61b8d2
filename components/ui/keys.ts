type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'> & { code?: string }

/**
 * Such as "a", "?", "mod+z", "ArrowDown", "shift+j"; undefined if a modifier makes it a browser or system shortcut. If Shift produces
 * another character, the character alone is the combo. On a keyboard of another script, a letter or digit is the one that its key has on an English
 * keyboard: nobody can type "a" on a Greek one.
 */
export function comboOf(event: Press): string | undefined {
  if (event.altKey) return undefined
  const isSign = event.key.length === 1
  const english = isSign ? englishKeyOf(event) : undefined
  const key = english ?? (isSign ? event.key.toLowerCase() : event.key)
  const isShifted = event.shiftKey && (!isSign || english !== undefined || key !== event.key.toUpperCase())
  return `${isShifted ? 'shift+' : ''}${event.ctrlKey || event.metaKey ? 'mod+' : ''}${key}`
}

function englishKeyOf({ key, code = '' }: Press): string | undefined {
  if (!/(?!\p{Script=Latin})\p{L}|(?![0-9])\p{Nd}/u.test(key)) return undefined
  return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase()
}

/** Fields, menus and dialogs handle their own keys; while one of these is still loading, the button that opens it has the focus. */
const KEEPS_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"], [role="menu"], [aria-haspopup][aria-expanded="true"]'

export function keepsItsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEEPS_KEYS) !== null
}
