/** Runs one task at a time; callers share the next run, which starts after their call. */
export function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        running = act()
        return running
      })
    return next
  }
}
