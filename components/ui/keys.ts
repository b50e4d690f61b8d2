/** Such as "a", "?", "mod+z", "ArrowDown"; nothing where a modifier makes it somebody else's key. */
export function comboOf(event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>): string | undefined {
  if (event.altKey) return undefined
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

/** Fields, menus and dialogs keep their keys. */
const KEEPS_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"], [role="menu"]'

export function keepsItsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEEPS_KEYS) !== null
}
