import { AsyncLocalStorage } from 'node:async_hooks'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import type { PrismaClient } from '#server/core/prisma/client.ts'

const calls = new AsyncLocalStorage<{ failure?: unknown }>()

/** The client for the sign-in library; what its statements fail with is kept for `unlessDatabaseFailed`. */
export function keepingFailures(client: PrismaClient) {
  return client.$extends({
    query: {
      $allModels: {
        async $allOperations({ args, query }) {
          return query(args).catch((error: unknown) => {
            const call = calls.getStore()
            if (call !== undefined) call.failure ??= error
            throw error
          })
        },
      },
    },
  })
}

/**
 * Answers as the library does, but fails where its database was unavailable: the library would say that someone is signed out whose session it could
 * not end, and answer 500 elsewhere.
 */
export async function unlessDatabaseFailed(act: () => Promise<Response>): Promise<Response> {
  const call: { failure?: unknown } = {}
  const answer = await calls.run(call, act)
  if (isDatabaseUnavailable(call.failure)) throw call.failure
  return answer
}
