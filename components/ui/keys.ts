type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/**
 * Such as "a", "?", "mod+z", "ArrowDown", "shift+j"; nothing where a modifier makes it somebody else's key. Where Shift makes
 * another sign of a key, the sign says it all.
 */
export function comboOf(event: Press): string | undefined {
  if (event.altKey) return undefined
  const isSign = event.key.length === 1
  const key = isSign ? event.key.toLowerCase() : event.key
  const isShifted = event.shiftKey && (!isSign || key !== event.key.toUpperCase())
  return `${isShifted ? 'shift+' : ''}${event.ctrlKey || event.metaKey ? 'mod+' : ''}${key}`
}

/** Fields, menus and dialogs keep their keys. */
const KEEPS_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"], [role="menu"]'

export function keepsItsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEEPS_KEYS) !== null
}
