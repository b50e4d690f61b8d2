import type { LiveMessage } from '#server/modules/live/schema.ts'
import type { Connection } from './connection.ts'
import { keepStream } from './keep-stream.ts'
import type { LeaseBook } from './lease-book.ts'
import type { Recent } from './recent.ts'

interface Sharing {
  /** The name of the lock and the channel: one per person in a browser. */
  name: string
  recent: Recent
  leases: LeaseBook
  publish: (message: LiveMessage) => void
  show: (connection: Connection) => void
  /** The server ended the stream for this person. */
  onEnd: () => void
}

/** Messages between the tabs of one browser. */
type Note =
  | { type: 'message'; message: LiveMessage }
  | { type: 'connection'; connection: Connection }
  | { type: 'ended' }
  /** A tab opened; it has everything up to this position. */
  | { type: 'hello'; from: string; position: number | undefined }
  | { type: 'welcome'; to: string; connection: Connection; messages: LiveMessage[] }

/**
 * One stream per browser: browsers open at most six HTTP/1.1 connections to a server, so with a stream per tab the seventh would hang. The
 * tab that holds the lock has the stream and forwards its messages; when it closes, another tab gets the lock and continues from the last
 * position. Returns a function that ends this tab's part.
 */
export function shareStream(sharing: Sharing): () => void {
  const { name, recent, leases, publish, show, onEnd } = sharing
  const leaving = new AbortController()
  // Missing on pages that are neither encrypted nor local: each tab then has its own stream.
  const locks = navigator.locks as LockManager | undefined
  const channel = locks && new BroadcastChannel(name)
  const ownName = `${Date.now()}-${Math.random()}`
  let ownStream: Connection | undefined

  const say = (note: Note) => channel?.postMessage(note)

  function lead(): Promise<void> {
    const update = (connection: Connection) => {
      ownStream = connection
      show(connection)
      say({ type: 'connection', connection })
    }
    update('connecting')
    return keepStream({
      from: recent.position,
      signal: leaving.signal,
      onState: update,
      onMessage: (message) => {
        publish(message)
        say({ type: 'message', message })
      },
    }).then((isOver) => {
      if (!isOver) return
      update('reconnecting')
      onEnd()
      say({ type: 'ended' })
    })
  }

  function welcome(from: string, position: number | undefined): void {
    if (ownStream === undefined) return
    const seq = recent.position()
    const missed = position === undefined ? [] : recent.after(position)
    const ready = seq !== undefined && ({ kind: 'ready', seq, leases: leases.list(Date.now()) } as const)
    const messages: LiveMessage[] = missed || seq === undefined ? [...(missed ?? [])] : [{ kind: 'reset', seq }]
    say({ type: 'welcome', to: from, connection: ownStream, messages: ready ? [...messages, ready] : messages })
  }

  channel?.addEventListener('message', ({ data: note }: MessageEvent<Note>) => {
    switch (note.type) {
      case 'message':
        return publish(note.message)
      case 'connection':
        return show(note.connection)
      case 'ended':
        return onEnd()
      case 'hello':
        return welcome(note.from, note.position)
      case 'welcome':
        if (note.to !== ownName) return
        show(note.connection)
        note.messages.forEach(publish)
    }
  })
  say({ type: 'hello', from: ownName, position: recent.position() })
  if (locks) locks.request(name, { signal: leaving.signal }, lead).catch(() => {})
  else void lead()

  return () => {
    leaving.abort()
    channel?.close()
  }
}
