import { flushSync } from 'react-dom'

/** The key recorded for submitting a multi-line field. */
export const SEND = 'Control+Enter'

/** The characters among these keys. */
export const textOf = (typed: string[]): string => typed.filter((key) => key.length === 1).join('')

/** Loads something and shows it, buffering keys in between; not if it loads nothing or Escape was pressed. */
export async function openHolding<Loaded>(
  load: () => Promise<Loaded | undefined>,
  show: (loaded: Loaded, typed: string[]) => void,
): Promise<void> {
  const { typed, release } = holdKeys()
  try {
    const loaded = await load()
    // Rendered and focused before the next key event.
    if (loaded !== undefined && !typed.includes('Escape')) flushSync(() => show(loaded, typed))
  } finally {
    release()
  }
}

/**
 * Buffers keys from now on, for a dialog that is still loading, and keeps them from the page. `typed` fills as keys arrive; `release` ends
 * it.
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
