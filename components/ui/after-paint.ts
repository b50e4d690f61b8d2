/** A page that nobody sees paints nothing, and is not waited for any longer. */
const AT_THE_LATEST_MS = 100

/**
 * Once what was just changed is on the screen, or the page is being left: work that can wait that long leaves the machine to the
 * painting.
 */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const limit = setTimeout(end, AT_THE_LATEST_MS)
    window.addEventListener('pagehide', end, { signal: waiting.signal })
    // The first frame shows the change; with the second it has been shown.
    requestAnimationFrame(() => requestAnimationFrame(end))

    function end(): void {
      waiting.abort()
      clearTimeout(limit)
      resolve()
    }
  })
}
