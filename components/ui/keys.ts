type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'> & { code?: string }

/**
 * Such as "a", "?", "mod+z", "ArrowDown", "shift+j"; undefined if a modifier makes it a browser or system shortcut. If Shift produces
 * another character, the character alone is the combo. On a keyboard of another script, a key is the one that it is on an English
 * keyboard: nobody can type "a" on a Greek one.
 */
export function comboOf(event: Press): string | undefined {
  if (event.altKey) return undefined
  const english = englishKeyOf(event)
  const isNamed = english === undefined && event.key.length > 1
  const key = english ?? (isNamed ? event.key : event.key.toLowerCase())
  const isOtherCharacter = key === '?' || (!isNamed && english === undefined && key === event.key.toUpperCase())
  const isShifted = event.shiftKey && !isOtherCharacter
  return `${isShifted ? 'shift+' : ''}${event.ctrlKey || event.metaKey ? 'mod+' : ''}${key}`
}

/** A letter, mark, digit or sign of another script: also several at once, such as the Arabic lam-alef. */
const OTHER_SCRIPT = /[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u
/** Signs of Latin keyboards that those of other scripts have in the place of a letter or digit, where no Latin keyboard has them: Hebrew, and Thai. */
const DISPLACED = ["KeyW'", 'Digit2/', 'Digit3-']

function englishKeyOf({ key, code = '', shiftKey }: Press): string | undefined {
  if (!OTHER_SCRIPT.test(key) && !DISPLACED.includes(code + key)) return undefined
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase()
}

/** Fields, menus and dialogs handle their own keys; while one of these is still loading, the button that opens it has the focus. */
const KEEPS_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"], [role="menu"], [aria-haspopup][aria-expanded="true"]'

export function keepsItsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEEPS_KEYS) !== null
}
