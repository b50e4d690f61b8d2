import { type QueryFunctionContext, skipToken } from '@tanstack/react-query'
import type { TRPCClient } from '@trpc/client'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '#server/trpc/root.ts'
import { type ProcedureCall, request } from './request.ts'

type Apply = (path: string[], args: unknown[]) => unknown

/** `proxy.a.b(x)` calls `apply(['a', 'b'], [x])`. */
function recursiveProxy(apply: Apply, path: string[] = []): unknown {
  return new Proxy(() => {}, {
    // Not a promise.
    get: (_, key) => (typeof key === 'string' && key !== 'then' ? recursiveProxy(apply, [...path, key]) : undefined),
    apply: (_, _this, args) => apply(path, args),
  })
}

/** Calls procedures with the router's types. */
export const trpcClient = recursiveProxy((path, [input, options]) => {
  const type = path.at(-1) === 'mutate' ? 'mutation' : 'query'
  const { signal } = (options ?? {}) as Pick<ProcedureCall, 'signal'>
  return request({ path: path.slice(0, -1).join('.'), type, input, signal })
}) as TRPCClient<AppRouter>

interface Options {
  trpc?: { abortOnUnmount?: boolean }
}

/** React Query's keys and options of procedures, in tRPC's form but without its client, which is large. */
export const trpc = recursiveProxy((names, [given, options]) => {
  const path = names.slice(0, -1)
  const name = path.join('.')
  switch (names.at(-1)) {
    case 'pathKey':
      return [path]
    case 'pathFilter':
      return { ...(given as object), queryKey: [path] }
    case 'queryKey':
      return keyOf(path, 'query', given)
    case 'queryFilter':
      return { ...(options as object), queryKey: keyOf(path, 'query', given) }
    case 'queryOptions':
      return {
        ...(options as Options),
        queryKey: keyOf(path, 'query', given),
        queryFn: given === skipToken ? skipToken : queryOf(name, given, options as Options),
      }
    case 'infiniteQueryOptions':
      return {
        ...(options as Options),
        queryKey: keyOf(path, 'infinite', given),
        queryFn: ({ pageParam }: { pageParam?: unknown }) =>
          request({
            path: name,
            type: 'query',
            input: { ...(given as object), ...(pageParam !== undefined && { cursor: pageParam }) },
          }),
        initialPageParam: undefined,
      }
    case 'mutationOptions':
      return {
        ...(given as object),
        mutationKey: [path],
        mutationFn: (input: unknown) => request({ path: name, type: 'mutation', input }),
      }
    default:
      throw new Error(`${names.join('.')} is not supported.`)
  }
}) as TRPCOptionsProxy<AppRouter>

function keyOf(path: string[], type: 'query' | 'infinite', input: unknown): unknown[] {
  return [path, { ...(input !== undefined && input !== skipToken && { input }), type }]
}

/** The context's signal is only read if it is used: React Query cancels what reads it. */
function queryOf(path: string, input: unknown, options: Options | undefined) {
  return (context: QueryFunctionContext) =>
    request({ path, type: 'query', input, signal: options?.trpc?.abortOnUnmount ? context.signal : undefined })
}
