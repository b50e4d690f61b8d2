/** A page that nobody sees paints nothing, and is not waited for any longer. */
const AT_THE_LATEST_MS = 100

/**
 * Once what was just changed is on the screen, or the page may be about to be left: work that can wait that long leaves the machine to
 * the painting. The first frame draws the change; the second may be made while that is still on its way to the screen; the third is not.
 */
export const afterPaint = (): Promise<void> => afterFrames(3)

/** As of the frame of that number from now, counted from one. */
export function afterFrames(count: number): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const limit = setTimeout(end, AT_THE_LATEST_MS)
    for (const leaving of ['pointerdown', 'pagehide']) window.addEventListener(leaving, end, { signal: waiting.signal })
    waitFor(count)

    function waitFor(frames: number): void {
      requestAnimationFrame(() => (frames === 1 ? end() : waitFor(frames - 1)))
    }

    function end(): void {
      waiting.abort()
      clearTimeout(limit)
      resolve()
    }
  })
}
