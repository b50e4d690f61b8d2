import { flushSync } from 'react-dom'

/** Among the keys that are held: sends what one writes in several lines. */
export const SEND = 'Control+Enter'

/** Loads something and shows it, with the keys held meanwhile; not where nothing comes of it, or Escape is among them. */
export async function openHolding<Loaded>(
  load: () => Promise<Loaded | undefined>,
  show: (loaded: Loaded, typed: string[]) => void,
): Promise<void> {
  const { typed, release } = holdKeys()
  try {
    const loaded = await load()
    // Painted and focused before the next key is heard.
    if (loaded !== undefined && !typed.includes('Escape')) flushSync(() => show(loaded, typed))
  } finally {
    release()
  }
}

/**
 * Keeps the keys that are pressed from now on from the page, for what they are meant for and is not there yet: a dialog still
 * being loaded. Filled as they come; ends when `release` is called.
 */
function holdKeys(): { typed: string[]; release: () => void } {
  const typed: string[] = []
  function hold(event: KeyboardEvent): void {
    const isSending = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSending && (event.altKey || event.ctrlKey || event.metaKey || event.key === 'Tab')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat) typed.push(isSending ? SEND : event.key)
  }
  window.addEventListener('keydown', hold, { capture: true })
  return { typed, release: () => window.removeEventListener('keydown', hold, { capture: true }) }
}
