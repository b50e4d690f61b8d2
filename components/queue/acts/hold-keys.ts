/**
 * Keeps the keys that are pressed from now on from the page, for what they are meant for and is not there yet: a dialog still
 * being loaded. Filled as they come; ends when `release` is called.
 */
export function holdKeys(): { typed: string[]; release: () => void } {
  const typed: string[] = []
  function hold(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.key === 'Tab') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat) typed.push(event.key)
  }
  window.addEventListener('keydown', hold, { capture: true })
  return { typed, release: () => window.removeEventListener('keydown', hold, { capture: true }) }
}
