/** How many messages may queue for one slow client. */
const CAPACITY = 2_000

/** A queue of messages for one reader, in order. */
export interface Mailbox<Message> extends AsyncIterable<Message> {
  /** False if the reader can't keep up. */
  post(message: Message): boolean
  /** Ends the reading, with the given error if there is one; queued messages are dropped. */
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
