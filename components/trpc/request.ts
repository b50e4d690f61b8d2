import type { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '#server/trpc/root.ts'

/** The server's limit for calls in one request (`server/http/rate-limits.ts`). */
const MAX_BATCH_CALLS = 20

/** A response that takes longer counts as none: a decision must not hang unseen. */
const ANSWER_WITHIN_MS = 15_000

/** Browsers limit keepalive requests to 64 kB in flight. */
const KEPT_ALIVE_LENGTH = 8_000

export interface ProcedureCall {
  path: string
  type: 'query' | 'mutation'
  input: unknown
  signal?: AbortSignal | null | undefined
}

interface ErrorShape {
  message: string
  data?: TRPCClientError<AppRouter>['data']
}

/** A call that the server rejected, or answered with something else than a result. */
export class RequestFailed extends Error {
  readonly data: ErrorShape['data']

  constructor(error: ErrorShape | undefined) {
    super(error?.message ?? 'No result')
    this.name = 'RequestFailed'
    this.data = error?.data
  }
}

/**
 * Calls a procedure: in the browser over HTTP, as tRPC's own client would; during server rendering, in the same process. Queries of the same
 * moment are batched; a mutation is sent alone and waits for no other call.
 */
export function request(call: ProcedureCall): Promise<unknown> {
  if (typeof window === 'undefined') return callInProcess(call)
  return call.type === 'mutation' ? sendMutation(call) : sendBatched(call)
}

async function sendMutation({ path, input, signal }: ProcedureCall): Promise<unknown> {
  const body = JSON.stringify(input)
  const answer = await fetchJson(`/api/trpc/${path}`, signal, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    // It arrives even if the page is closed at that moment.
    keepalive: body !== undefined && body.length <= KEPT_ALIVE_LENGTH,
  })
  return resultOf(answer)
}

interface WaitingCall extends ProcedureCall {
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

let waitingCalls: WaitingCall[] = []

function sendBatched(call: ProcedureCall): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (waitingCalls.length === 0) setTimeout(sendWaiting)
    waitingCalls.push({ ...call, resolve, reject })
  })
}

function sendWaiting(): void {
  const calls = waitingCalls
  waitingCalls = []
  while (calls.length > 0) void sendBatch(calls.splice(0, MAX_BATCH_CALLS))
}

async function sendBatch(calls: WaitingCall[]): Promise<void> {
  try {
    const paths = calls.map(({ path }) => path).join(',')
    const inputs = encodeURIComponent(JSON.stringify({ ...calls.map(({ input }) => input) }))
    const answer = await fetchJson(`/api/trpc/${paths}?batch=1&input=${inputs}`, allAborted(calls))
    // An error of the whole request is one answer to every call.
    for (const [index, call] of calls.entries()) passAnswer(call, Array.isArray(answer) ? answer[index] : answer)
  } catch (cause) {
    for (const { reject } of calls) reject(cause)
  }
}

function passAnswer({ resolve, reject }: WaitingCall, answer: unknown): void {
  try {
    resolve(resultOf(answer))
  } catch (cause) {
    reject(cause)
  }
}

/** Aborts once every call is aborted; never if one of them can't be. */
function allAborted(calls: ProcedureCall[]): AbortSignal {
  const all = new AbortController()
  const abort = () => calls.every(({ signal }) => signal?.aborted) && all.abort()
  for (const { signal } of calls) signal?.addEventListener('abort', abort)
  abort()
  return all.signal
}

async function fetchJson(url: string, signal: AbortSignal | null | undefined, options?: RequestInit): Promise<unknown> {
  const limit = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const response = await fetch(url, { ...options, signal: signal ? AbortSignal.any([signal, limit]) : limit })
  return response.json()
}

function resultOf(answer: unknown): unknown {
  const { result, error } = answer as { result?: { data?: unknown }; error?: ErrorShape }
  if (!result) throw new RequestFailed(error)
  return result.data
}

/** `docket.call` is set by the server that renders this page. */
async function callInProcess(call: ProcedureCall): Promise<unknown> {
  const { [Symbol.for('docket.call')]: callProcedure } = globalThis as {
    [name: symbol]: ((call: ProcedureCall) => Promise<unknown>) | undefined
  }
  if (!callProcedure) throw new Error('The pages run outside the server of Docket.')
  return resultOf(await callProcedure(call))
}
