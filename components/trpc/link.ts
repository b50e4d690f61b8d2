import { httpBatchLink, httpLink, splitLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '#server/trpc/root.ts'

type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>

/** The server takes no more calls in one request (`server/http/rate-limits.ts`). */
const MAX_BATCH_CALLS = 20

/** An answer that takes longer counts as none: a decision must not hang unseen. */
const ANSWER_WITHIN_MS = 15_000

/**
 * In the browser over HTTP; while rendering on the server by calling the router in the same process. What is read at one moment is
 * asked for at once; what changes something goes alone, and waits for nothing that was asked beside it.
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

/** Browsers send no more than 64 kB of these at a time. */
const KEPT_ALIVE_LENGTH = 8_000

/** What was decided on arrives also where the page is closed that very moment. */
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

/** Set by the server this page is rendered in. */
function callRouter(call: ProcedureCall): Promise<ProcedureAnswer> {
  const { [Symbol.for('docket.call')]: callProcedure } = globalThis as {
    [name: symbol]: ((call: ProcedureCall) => Promise<ProcedureAnswer>) | undefined
  }
  if (!callProcedure) throw new Error('The pages run outside the server of Docket.')
  return callProcedure(call)
}
