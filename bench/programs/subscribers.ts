import type { LiveMessage } from '#server/modules/live/schema.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import type { Program } from './programs.ts'

/** Desks that are open: what all of them together received, and how long after each decision. */
export class Subscribers {
  readonly delays: number[] = []
  ready = 0
  readonly #startedAt = new Map<string, number>()
  readonly #closing = new AbortController()

  /** Resolves once all desks receive. */
  async open({ origin }: Pick<Program, 'origin'>, cookies: string[]): Promise<void> {
    const expected = this.ready + cookies.length
    for (const cookie of cookies) {
      const headers = { cookie, accept: 'text/event-stream' }
      const answer = await fetch(`${origin}/api/trpc/live.events`, { headers, signal: this.#closing.signal })
      void this.#read(answer).catch(() => {})
    }
    await waitUntil('all desks receive', () => this.ready >= expected)
  }

  /** Approves over REST. Counts from before the call: a colleague also waits for the request to reach the server. */
  async decide({ origin }: Pick<Program, 'origin'>, token: string, commentId: string): Promise<void> {
    this.#startedAt.set(commentId, performance.now())
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${origin}/api/v3/comments/${commentId}/approve`, { method: 'POST', headers })
    if (!answer.ok) throw new Error(`A decision was answered ${answer.status}`)
    await answer.arrayBuffer()
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
    const startedAt = message.kind === 'event' ? this.#startedAt.get(message.subjectId ?? '') : undefined
    if (startedAt !== undefined) this.delays.push(performance.now() - startedAt)
  }

  close(): void {
    this.#closing.abort()
  }
}
