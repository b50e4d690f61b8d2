/** A page that nobody sees paints nothing, and is not waited for any longer. */
const AT_THE_LATEST_MS = 100

/** Once what was just changed is on the screen: work that can wait that long leaves the machine to the painting. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, AT_THE_LATEST_MS)
    // The first frame shows the change; with the second it has been shown.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
}
