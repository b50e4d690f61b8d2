type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/**
 * Such as "a", "?", "mod+z", "ArrowDown", "shift+j"; undefined if a modifier makes it a browser or system shortcut. If Shift produces
 * another character, the character alone is the combo.
 */
export function comboOf(event: Press): string | undefined {
  if (event.altKey) return undefined
  const isSign = event.key.length === 1
  const key = isSign ? event.key.toLowerCase() : event.key
  const isShifted = event.shiftKey && (!isSign || key !== event.key.toUpperCase())
  return `${isShifted ? 'shift+' : ''}${event.ctrlKey || event.metaKey ? 'mod+' : ''}${key}`
}

/** Fields, menus and dialogs handle their own keys; while one of these is still loading, the button that opens it has the focus. */
const KEEPS_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"], [role="menu"], [aria-haspopup][aria-expanded="true"]'

export function keepsItsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEEPS_KEYS) !== null
}
