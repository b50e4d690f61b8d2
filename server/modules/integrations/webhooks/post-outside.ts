import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { OutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { isLoopbackAddress, isPublicAddress } from '#server/modules/integrations/webhooks/public-address.ts'
import type { TryProblem } from '#server/modules/integrations/webhooks/schema.ts'

const TIME_LIMIT_MS = 10_000
/** How much of a response is stored, and how much of it is read at all. */
const KEPT_BYTES = 2_048
const READ_BYTES = 65_536

export interface Outside {
  /** Also allows this machine, without TLS: for development. */
  allowsLoopback: boolean
  /** Allows any address: the operator named it. */
  isTrusted?: boolean
  /** All addresses of a name. */
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>
  timeLimitMs?: number
}

export interface Posting {
  url: string
  headers: Record<string, string>
  body: string | Buffer
  stopping: AbortSignal
  /** How much of the response is returned, if more than the start of it. */
  answerBytes?: number
}

export interface Outcome {
  durationMs: number
  status?: number
  /** Absent if the response was 2xx. */
  problem?: TryProblem
  answer?: string
}

/**
 * Posts to an address that a user entered. A name is resolved once, every address is checked, and a new connection uses one of the
 * checked addresses, so a later change of the name has no effect; a connection that is used again was checked when it was made.
 * Follows no redirects, and reads no more of the response than is asked for. Never throws: the outcome contains the error.
 */
export async function postOutside(
  posting: Posting,
  outside: Outside,
  connections: OutsideConnections,
): Promise<Outcome> {
  const startedAt = performance.now()
  const tooLate = AbortSignal.timeout(outside.timeLimitMs ?? TIME_LIMIT_MS)
  const ending = AbortSignal.any([tooLate, posting.stopping])
  const answer = await send(posting, { outside, connections, ending }).catch((error: unknown): Answer => {
    if (posting.stopping.aborted) return { problem: 'interrupted' }
    return { ...(error instanceof Broken && error.answer), problem: tooLate.aborted ? 'timeout' : problemOf(error) }
  })
  return { durationMs: Math.round(performance.now() - startedAt), ...answer }
}

type Answer = Omit<Outcome, 'durationMs'>

/** The connection closed before the response was complete. */
class Broken extends Error {
  readonly answer: Answer
  constructor(cause: Error, answer: Answer) {
    super(cause.message, { cause })
    this.answer = answer
  }
}

/** The receiver had closed a connection that was kept open for the next post: not a failure of this one. */
class Stale extends Error {}

interface Sending {
  outside: Outside
  connections: OutsideConnections
  ending: AbortSignal
}

async function send(
  { url, headers, body, answerBytes }: Posting,
  { outside, connections, ending }: Sending,
): Promise<Answer> {
  const target = new URL(url)
  const addresses = await aborting(addressesOf(target, outside), ending)
  const isAllowed = ({ address }: { address: string }) =>
    outside.isTrusted ||
    (target.protocol === 'https:' && isPublicAddress(address)) ||
    (outside.allowsLoopback && isLoopbackAddress(address))
  if (addresses.length === 0) return { problem: 'name' }
  if (!addresses.every(isAllowed)) return { problem: 'address' }

  const options: https.RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    signal: ending,
    lookup: (_name, { all }, answer) => {
      const [first] = addresses
      if (all || first === undefined) answer(null, addresses)
      else answer(null, first.address, first.family)
    },
  }
  const client: Pick<typeof https, 'request'> = target.protocol === 'https:' ? https : http
  const agent = target.protocol === 'https:' ? connections.https : connections.http
  try {
    return await answerTo(client.request(target, { ...options, agent }), body, answerBytes)
  } catch (error) {
    if (!(error instanceof Stale) || ending.aborted) throw error
    return answerTo(client.request(target, { ...options, agent: false }), body, answerBytes)
  }
}

async function addressesOf({ hostname }: URL, { resolve = resolveAll }: Outside) {
  const literal = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(literal)
  return family === 0 ? resolve(hostname) : [{ address: literal, family }]
}

function resolveAll(name: string) {
  return lookup(name, { all: true })
}

function answerTo(request: http.ClientRequest, body: Posting['body'], keptBytes = KEPT_BYTES): Promise<Answer> {
  const readBytes = Math.max(READ_BYTES, keptBytes)
  return new Promise((resolve, reject) => {
    let isConnected = false
    let isUnanswered = true
    request.on('socket', (socket) => {
      isConnected = !socket.connecting
      if (socket.connecting) socket.once('connect', () => (isConnected = true))
      socket.once('data', () => (isUnanswered = false))
    })
    request.on('error', (error) => {
      if (request.reusedSocket && isUnanswered && CLOSED_CODES.has(codeOf(error))) reject(new Stale())
      else reject(isConnected ? new Broken(error, {}) : error)
    })
    // Without this, Node ends the request without an event: nothing is upgraded, so it's an answer without a body.
    request.on('upgrade', ({ statusCode: status = 0 }, socket) => {
      resolve({ status, ...problemIn(status) })
      socket.destroy()
    })
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      const kept: Buffer[] = []
      let bytes = 0
      const answer = () => ({ status, ...answerOf(kept) })
      const finish = () => resolve({ ...answer(), ...problemIn(status) })
      response.on('data', (chunk: Buffer) => {
        if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes))
        bytes += chunk.length
        if (bytes < readBytes) return
        finish()
        request.destroy()
      })
      response.on('end', finish)
      response.on('error', (error) => reject(new Broken(error, answer())))
    })
    request.end(body)
  })
}

function answerOf(kept: Buffer[]): { answer?: string } {
  if (kept.length === 0) return {}
  // Leaves out a character that was cut in two; the database can't store U+0000.
  const answer = new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replaceAll('\0', '\u{fffd}')
  return { answer }
}

function problemIn(status: number): { problem?: TryProblem } {
  if (status >= 200 && status < 300) return {}
  return { problem: status >= 300 && status < 400 ? 'redirect' : 'status' }
}

const CLOSED_CODES = new Set(['ECONNRESET', 'EPIPE'])
const NAME_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'])

function problemOf(error: unknown): TryProblem {
  const code = codeOf(error)
  if (NAME_CODES.has(code)) return 'name'
  if (/CERT|SIGNED|SSL|TLS|ISSUER|EPROTO/.test(code)) return 'certificate'
  return error instanceof Broken ? 'cut' : 'connection'
}

function codeOf(error: unknown): string {
  const cause = error instanceof Broken ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

/** A look-up can't be cancelled; this stops waiting for it. */
function aborting<Value>(promise: Promise<Value>, ending: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason), { once: true })
    promise.then(resolve, reject)
  })
}
