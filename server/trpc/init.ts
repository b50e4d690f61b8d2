import { getTRPCErrorFromUnknown, initTRPC, type ProcedureType, TRPCError } from '@trpc/server'
import { ZodError, z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { databaseFailureOf } from '#server/core/database/database-failures.ts'
import { DomainError, ERRORS, type ErrorDetails } from '#server/core/errors.ts'
import { readAnywhere, readOnPrimary } from '#server/core/replicas/read-anywhere.ts'
import { toDomainError } from '#server/core/to-domain-error.ts'
import { inSpan } from '#server/core/tracing.ts'
import type { Cipher } from '#server/modules/accounts/access/staff-auth-options.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import type { SubscribeOptions } from '#server/modules/live/live-hub.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'

/** What every desk page may read of an error besides tRPC's own fields. */
export interface WireFailure {
  /** The code of the REST interface (docs/interface/errors.md#codes). */
  wire: number
  requestId: string
  facts?: ErrorDetails
}

/** The context of the domain, and what else procedures need. */
export interface TrpcContext extends Ctx {
  webhooks: WebhookSettings
  notifications: NotificationParts
  translations: TranslationParts
  /** Subscribes this caller to live events. */
  follow(following: SubscribeOptions): Promise<AsyncGenerator<LiveMessage>>
  /** Signs the links to download files. */
  linkKey: Buffer
  ownSignIn: OwnSignInContext
}

/** What signing in, and changing one's own sign-in methods, need. */
export interface OwnSignInContext {
  cipher: Cipher
  /** The name of the organisation's own sign-in, if there is one. */
  openIdName: string | undefined
  /** Runs a check of the caller's password or code within the limit of attempts; RATE_LIMITED beyond that. */
  counted<Result>(attempt: () => Promise<Result>): Promise<Result>
}

/** Keeps proxies from ending a quiet stream, and shows a browser that it is still open. */
const PING_EVERY_MS = 15_000

interface Meta {
  /** It only reads, and may do so on a replica. */
  readsAnywhere?: boolean
  /** Also for people who are not signed in at the desk. */
  isForEveryone?: boolean
}

const t = initTRPC
  .context<TrpcContext>()
  .meta<Meta>()
  .create({
    sse: { ping: { enabled: true, intervalMs: PING_EVERY_MS } },
    errorFormatter({ shape, error, ctx }) {
      const failure = fromTrpc(error)
      const { wire, text } = ERRORS[failure.code]
      const docket: WireFailure = {
        wire,
        requestId: ctx?.requestId ?? '',
        ...(failure.details && { facts: failure.details }),
      }
      return {
        code: shape.code,
        message: text,
        data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, docket },
      }
    },
  })

/** Maps tRPC's own errors: input that does not parse, an unknown procedure, or what a domain function threw. */
function fromTrpc(error: TRPCError): DomainError {
  if (error.cause instanceof ZodError) {
    return new DomainError('INVALID_PARAMETERS', { detail: z.prettifyError(error.cause).split('\n') })
  }
  if (error.code === 'NOT_FOUND' && error.cause === undefined) return new DomainError('NOT_FOUND')
  const isOurs = error.code === 'INTERNAL_SERVER_ERROR' || error.cause instanceof DomainError
  return isOurs ? toDomainError(error.cause) : new DomainError('INVALID_PARAMETERS')
}

type Outcome = { ok: true } | { ok: false; error: TRPCError }

/** Every error gets the status from the table of errors; a bug on our side is logged once. */
async function withOurErrors<Result extends Outcome>(ctx: Ctx, call: () => Promise<Result>): Promise<Result> {
  // A caller who isn't signed in, and a failed read, throw; what a procedure throws is its answer.
  const result = await call().catch((thrown: unknown) => ({
    ok: false as const,
    error: getTRPCErrorFromUnknown(thrown),
  }))
  if (result.ok) return result
  const failure = fromTrpc(result.error)
  if (failure.code === 'UNEXPECTED') {
    ctx.log.error({ err: result.error.cause, requestId: ctx.requestId }, 'unexpected')
  }
  throw new TRPCError({ code: ERRORS[failure.code].trpc, cause: failure })
}

function ensureSignedIn({ actor }: TrpcContext, { isForEveryone = false }: Meta): void {
  if (actor.kind === 'nobody' && !isForEveryone)
    throw new TRPCError({ code: 'UNAUTHORIZED', cause: new DomainError('UNAUTHORIZED') })
}

/** Errors of the database are thrown, so that the call is done again on the primary; others are its answer. */
function anywhere<Result extends Outcome>(
  ctx: TrpcContext,
  { type, meta: { readsAnywhere = false } }: { type: ProcedureType; meta: Meta },
  call: (ctx: TrpcContext) => Promise<Result>,
): Promise<Result> {
  if (!readsAnywhere) return type === 'query' ? readOnPrimary(ctx, call) : call(ctx)
  return readAnywhere(ctx, async (ctx) => {
    const result = await call(ctx)
    if (!result.ok && databaseFailureOf(result.error.cause) !== undefined) throw result.error.cause
    return result
  })
}

/** One middleware for all of it: each copies the context and the options of a call. Several calls may share a request. */
const called = t.middleware(({ ctx, path, type, meta = {}, next }) =>
  inSpan(
    () => ({ name: path, attributes: { 'rpc.method': path } }),
    () => {
      const run = (given: TrpcContext) => next(given === ctx ? {} : { ctx: given })
      return withOurErrors(ctx, async () => {
        ensureSignedIn(ctx, meta)
        return anywhere(ctx, { type, meta }, run)
      })
    },
  ),
)

export const router = t.router
/** For people who are signed in at the desk. */
export const procedure = t.procedure.use(called)
/** For everyone, signed in or not. */
export const publicProcedure = procedure.meta({ isForEveryone: true })
