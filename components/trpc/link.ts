import { httpBatchLink, httpLink, splitLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '#server/trpc/root.ts'

type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>

/** The server's limit for calls in one request (`server/http/rate-limits.ts`). */
const MAX_BATCH_CALLS = 20

/** A response that takes longer counts as none: a decision must not hang unseen. */
const ANSWER_WITHIN_MS = 15_000

/**
 * In the browser over HTTP; during server rendering, by calling the router in the same process. Queries of the same moment are batched; a
 * mutation is sent alone and waits for no other call.
 */
export function deskLink(): TRPCLink<AppRouter> {
  if (typeof window === 'undefined') return inProcessLink
  const ask: Fetch = (url, options) =>
    fetch(url, { ...options, signal: signalOf(options), keepalive: outlivesPage(options) })
  const http = { url: '/api/trpc', fetch: ask }
  return splitLink({
    condition: ({ type }) => type === 'mutation',
    true: httpLink(http),
    false: httpBatchLink({ ...http, maxItems: MAX_BATCH_CALLS }),
  })
}

/** Browsers limit keepalive requests to 64 kB in flight. */
const KEPT_ALIVE_LENGTH = 8_000

/** A keepalive request: a decision arrives even if the page is closed at that moment. */
function outlivesPage({ method, body }: { method?: string; body?: unknown } = {}): boolean {
  return method === 'POST' && typeof body === 'string' && body.length <= KEPT_ALIVE_LENGTH
}

function signalOf(options: { signal?: AbortSignal | null | undefined } | undefined): AbortSignal {
  const limit = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return options?.signal ? AbortSignal.any([options.signal, limit]) : limit
}

interface ProcedureCall {
  path: string
  type: string
  input: unknown
  signal: AbortSignal | null | undefined
}
type ProcedureAnswer =
  | { ok: true; data: unknown }
  | { ok: false; error: Parameters<typeof TRPCClientError.from<AppRouter>>[0] }

const inProcessLink: TRPCLink<AppRouter> =
  () =>
  ({ op: { path, type, input, signal } }) =>
    observable((observer) => {
      callRouter({ path, type, input, signal })
        .then((answer) => {
          if (!answer.ok) throw TRPCClientError.from<AppRouter>({ error: answer.error } as never)
          observer.next({ result: { data: answer.data } })
          observer.complete()
        })
        .catch((cause) => observer.error(TRPCClientError.from<AppRouter>(cause)))
    })

/** Set by the server that renders this page. */
function callRouter(call: ProcedureCall): Promise<ProcedureAnswer> {
  const { [Symbol.for('docket.call')]: callProcedure } = globalThis as {
    [name: symbol]: ((call: ProcedureCall) => Promise<ProcedureAnswer>) | undefined
  }
  if (!callProcedure) throw new Error('The pages run outside the server of Docket.')
  return callProcedure(call)
}
