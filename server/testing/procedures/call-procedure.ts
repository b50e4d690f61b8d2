import { type AnyProcedure, callTRPCProcedure, TRPCError } from '@trpc/server'
import type { Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { DomainError } from '#server/core/errors.ts'
import { keyFor } from '#server/core/secret.ts'
import { openLiveHub, type SubscribeOptions } from '#server/modules/live/live-hub.ts'
import { ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { testTranslations } from '#server/testing/translations.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { appRouter } from '#server/trpc/root.ts'

const OPEN_CIPHER = { seal: async (text: string) => text, open: async (sealed: string) => sealed }

/** Every procedure of the desk, by name. */
export const PROCEDURES = appRouter._def.procedures as unknown as Record<string, AnyProcedure>

/** The caller, as `DeskScene` describes them. */
export interface ProcedureCaller {
  me: string
  mine(): Promise<Ctx>
}

/** Rejected with this code of the error table or, for other errors, with what was thrown. */
export type ProcedureAnswer = { answer: unknown } | { failure: string }

/** Calls procedures of the desk in this process, as one person after another; the live hub's own queries use `hubDatabase`. */
export function procedureCalls(database: Database, hubDatabase = database) {
  const liveHub = openLiveHub(systemCtx(hubDatabase))
  const linkKey = keyFor('a secret for tests, long enough to be one', 'reports')

  return async (procedure: string, raw: unknown, { me, mine }: ProcedureCaller): Promise<ProcedureAnswer> => {
    const ctx = await mine()
    const ended = new AbortController()
    try {
      const answer = await callTRPCProcedure({
        router: appRouter,
        path: procedure,
        type: PROCEDURES[procedure]?._def.type ?? 'query',
        ctx: {
          ...ctxOf(database, ctx.actor),
          replicas: ctx.replicas,
          webhooks: testWebhooks,
          notifications: testNotifications,
          translations: testTranslations(),
          linkKey,
          ownSignIn: {
            cipher: OPEN_CIPHER,
            openIdName: undefined,
            counted: (attempt: () => Promise<unknown>) => attempt(),
          },
          follow: (following: SubscribeOptions) => liveHub.subscribe({ ctx, session: me, renew: mine }, following),
        },
        getRawInput: async () => raw,
        signal: ended.signal,
        batchIndex: 0,
      })
      if (answer instanceof Error) return { failure: String(answer) }
      return { answer: isStream(answer) ? await firstOf(answer) : answer }
    } catch (error) {
      const cause = error instanceof TRPCError ? error.cause : error
      return { failure: cause instanceof DomainError ? cause.code : String(error) }
    } finally {
      ended.abort()
    }
  }
}

function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

/** The first messages of a stream: its position, and who is viewing what. */
async function firstOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const message of stream) return message
  return undefined
}
