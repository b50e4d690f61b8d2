/**
 * Shares runs of `ask`: a call never gets the result of a run that started before it. At most one runs at a time, and all calls that come
 * during that share the next one.
 */
export function coalesced<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<void> | undefined
  let following: Promise<Result> | undefined

  function start(): Promise<Result> {
    following = undefined
    const result = ask()
    const ended = result.then(
      () => {},
      () => {},
    )
    running = ended
    void ended.then(() => {
      if (running === ended) running = undefined
    })
    return result
  }

  return () => {
    if (running === undefined) return start()
    following ??= running.then(start)
    return following
  }
}
