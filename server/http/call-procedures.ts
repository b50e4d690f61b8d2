import { callTRPCProcedure, getErrorShape, getTRPCErrorFromUnknown } from '@trpc/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '#server/core/errors.ts'
import type { TrpcContext } from '#server/trpc/init.ts'
import { type AppRouter, appRouter } from '#server/trpc/root.ts'

interface ProcedureCall {
  path: string
  type: 'query' | 'mutation'
  findContext: () => Promise<TrpcContext>
  /** Called only for procedures that have an input. */
  readInput: () => unknown
}

type ErrorShape = AppRouter['_def']['_config']['$types']['errorShape']

/** The answer to one call, as the desk reads it in JSON. */
export type ProcedureAnswer = { result: { data: unknown } } | { error: ErrorShape }

/** Queries and mutations are never broken off; live events have an address of their own. */
const NEVER = new AbortController().signal

/** Calls one procedure; a failure is an answer as well. */
export async function callProcedure(call: ProcedureCall): Promise<ProcedureAnswer> {
  const { path, type, findContext, readInput } = call
  let ctx: TrpcContext | undefined
  try {
    ctx = await findContext()
    const getRawInput = async () => readInput()
    const data = await callTRPCProcedure({
      router: appRouter,
      path,
      type,
      ctx,
      getRawInput,
      signal: NEVER,
      batchIndex: 0,
    })
    return { result: { data } }
  } catch (thrown) {
    const error = getTRPCErrorFromUnknown(thrown)
    return { error: getErrorShape({ config: appRouter._def._config, error, type, path, input: undefined, ctx }) }
  }
}

/**
 * Answers the calls of one request: GET queries, POST mutates; with `batch=1` the path names several, with their inputs by number. The answer
 * is what tRPC's own adapter would send, without its web requests, responses and streams (docs/decisions/0211-trpc-without-its-client-and-adapter.md).
 */
export async function answerCalls(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: TrpcContext,
): Promise<FastifyReply> {
  const { path } = request.params as { path: string }
  const { batch, input } = request.query as { batch?: unknown; input?: unknown }
  const type = request.method === 'POST' ? 'mutation' : 'query'
  const isBatch = batch === '1'
  const inputs = once(() => parseInput(type === 'mutation' ? request.body : input))
  const answers = await Promise.all(
    (isBatch ? path.split(',') : [path]).map((path, index) => {
      const readInput = () => (isBatch ? inputOf(inputs(), index) : inputs())
      return callProcedure({ path, type, findContext: async () => ctx, readInput })
    }),
  )
  return reply
    .code(statusOf(answers))
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(isBatch ? answers : answers[0]))
}

function once<Result>(act: () => Result): () => Result {
  let done: { result: Result } | undefined
  return () => {
    done ??= { result: act() }
    return done.result
  }
}

function parseInput(text: unknown): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(String(text))
  } catch (error) {
    throw error instanceof SyntaxError
      ? new DomainError('INVALID_PARAMETERS', { detail: ['input: must be JSON'] })
      : error
  }
}

function inputOf(inputs: unknown, index: number): unknown {
  if (inputs === undefined) return undefined
  if (typeof inputs !== 'object' || inputs === null) {
    throw new DomainError('INVALID_PARAMETERS', { detail: ['input: must be an object of inputs by number'] })
  }
  return (inputs as Record<number, unknown>)[index]
}

/** 207 where the calls of a batch ended differently. */
function statusOf(answers: ProcedureAnswer[]): number {
  const statuses = new Set(answers.map((answer) => ('error' in answer ? answer.error.data.httpStatus : 200)))
  const [status = 200] = statuses
  return statuses.size > 1 ? 207 : status
}
