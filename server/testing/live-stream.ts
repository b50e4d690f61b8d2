import type { LiveMessage } from '#server/modules/live/schema.ts'

export interface LiveStream {
  status: number
  headers: Headers
  /** Everything it received so far, in order. */
  messages: LiveMessage[]
  /** `returned` makes a browser stop, `broken` reconnect; an error is given by its name. */
  ended: Promise<'returned' | 'broken' | string>
  close(): void
}

/** Subscribes to the desk's stream as a browser does. */
export async function openStream(url: string, cookie: string, { since }: { since?: number } = {}): Promise<LiveStream> {
  const closing = new AbortController()
  const answer = await fetch(`${url}/api/trpc/live.events`, {
    headers: { cookie, accept: 'text/event-stream', ...(since !== undefined && { 'last-event-id': String(since) }) },
    signal: closing.signal,
  })
  const messages: LiveMessage[] = []
  return {
    status: answer.status,
    headers: answer.headers,
    messages,
    ended: collect(answer, messages).catch(() => 'broken'),
    close: () => closing.abort(),
  }
}

async function collect(answer: Response, messages: LiveMessage[]): Promise<string> {
  let unread = ''
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${unread}${chunk}`.split('\n\n')
    unread = blocks.pop() ?? ''
    for (const { event, text } of blocks.map(toEvent)) {
      if (event === 'return') return 'returned'
      if (event === 'serialized-error') return JSON.parse(text).data.code
      if (event === 'message' && text !== '') messages.push(JSON.parse(text))
    }
  }
  return 'broken'
}

function toEvent(block: string): { event: string; text: string } {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  return { event: field('event') ?? 'message', text: field('data') ?? '' }
}
