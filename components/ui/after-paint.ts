/** A hidden page paints nothing, so the wait ends after this many ms. */
const AT_THE_LATEST_MS = 100

/**
 * Resolves once the last change is painted, or the page may be about to close: deferring work until then leaves the CPU to rendering. The
 * first frame renders the change; the second may be prepared before it is displayed; the third is not.
 */
export const afterPaint = (): Promise<void> => afterFrames(3)

/** Resolves in the nth frame from now, counted from one. */
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
