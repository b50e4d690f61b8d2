import type { LiveMessage } from '#server/modules/live/schema.ts'
import { waitUntil } from '../measure/wait-until.ts'
import type { Program } from './programs.ts'

const SETTLES_WITHIN_MS = 30_000

/** What all clients together received, and how long after each decision or lease. */
export class Subscribers {
  readonly delays: number[] = []
  ready = 0
  readonly #startedAt = new Map<string, number>()
  readonly #closing = new AbortController()

  /** Counts from before the call: a colleague also waits for the request to reach the server. */
  async decide({ origin }: Program, { commentId, token }: { commentId: string; token: string }): Promise<void> {
    this.#startedAt.set(commentId, performance.now())
    const answer = await fetch(`${origin}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`A decision was answered ${answer.status}`)
    await answer.arrayBuffer()
  }

  /** Likewise, for the lease on an item that one of the people opens. */
  async takeLease({ origin }: Program, { commentId, cookie }: { commentId: string; cookie: string }): Promise<void> {
    this.#startedAt.set(commentId, performance.now())
    const answer = await fetch(`${origin}/api/trpc/leases.take`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ subjectType: 'comment', subjectId: commentId }),
    })
    if (!answer.ok) throw new Error(`A lease was answered ${answer.status}`)
  }

  async open({ origin }: Program, cookie: string): Promise<void> {
    const headers = { cookie, accept: 'text/event-stream' }
    const answer = await fetch(`${origin}/api/trpc/live.events`, { headers, signal: this.#closing.signal })
    void this.#read(answer).catch(() => {})
  }

  async #read(answer: Response): Promise<void> {
    let unread = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${unread}${chunk}`.split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: {"')) this.#note(JSON.parse(line.slice('data: '.length)))
    }
  }

  #note(message: Partial<LiveMessage>): void {
    if (message.kind === 'ready') this.ready += 1
    const subjectId = subjectOf(message)
    const startedAt = subjectId === undefined ? undefined : this.#startedAt.get(subjectId)
    if (startedAt !== undefined) this.delays.push(performance.now() - startedAt)
  }

  async until(isSo: () => boolean, withinMs = SETTLES_WITHIN_MS): Promise<void> {
    await waitUntil(isSo, { withinMs, otherwise: 'The desks did not hear in time' })
  }

  close(): void {
    this.#closing.abort()
  }
}

function subjectOf(message: Partial<LiveMessage>): string | undefined {
  if (message.kind === 'lease') return message.lease?.subjectId
  return message.kind === 'event' ? message.subjectId : undefined
}
