/** How much may wait for one desk that does not keep up. */
const CAPACITY = 2_000

/** What waits for one reader, in order. */
export interface Mailbox<Message> extends AsyncIterable<Message> {
  /** False where the reader does not keep up. */
  post(message: Message): boolean
  /** Ends the reading, by that error where there is one; what waits is dropped. */
  close(error?: Error): void
}

export function createMailbox<Message>(): Mailbox<Message> {
  const waiting: Message[] = []
  let closed: { error?: Error | undefined } | undefined
  let wake = () => {}

  return {
    post(message) {
      if (waiting.length >= CAPACITY) return false
      waiting.push(message)
      wake()
      return true
    },
    close(error) {
      closed ??= { error }
      waiting.length = 0
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0)
        if (closed?.error) throw closed.error
        if (closed) return
        if (waiting.length > 0) continue
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
