import { AsyncLocalStorage } from 'node:async_hooks'

/** One piece of work in a trace. Names and attributes never contain what people wrote, addresses or other values of a request. */
export interface SpanStart {
  name: string
  kind?: 'server' | 'client' | 'internal'
  attributes?: Record<string, string | number>
}

export interface OpenSpan {
  set(attributes: Record<string, string | number>): void
  end(how: { isFailed: boolean }): void
}

/** Starts spans, and sends them somewhere once they end. */
export interface SpanRecorder {
  /** Without a parent it begins a trace, or goes on with the one in this `traceparent` header. */
  start(span: SpanStart, parent: OpenSpan | string | undefined): OpenSpan
}

/** Where in a trace some code runs. A job's trace has no span yet while the job only looks for work. */
interface Position {
  span: OpenSpan | undefined
  begin(): OpenSpan
  trace: { isOver: boolean }
}

let recorder: SpanRecorder | undefined
const positions = new AsyncLocalStorage<Position>()

/** Set once, before anything runs. Without it nothing is recorded, at the cost of one comparison. */
export function recordSpansWith(given: SpanRecorder | undefined): void {
  recorder = given
}

/** A trace that its caller ends, because it does not end with a function. */
export interface OpenTrace {
  span: OpenSpan
  /** What runs in here adds its spans to the trace, until it is ended. */
  run<Result>(work: () => Result): Result
  end(how: { isFailed: boolean }): void
}

/** Begins a trace; undefined if nothing is recorded. */
export function openTrace(span: SpanStart, traceparent: string | undefined): OpenTrace | undefined {
  if (recorder === undefined) return undefined
  const root = recorder.start(span, traceparent)
  const trace = { isOver: false }
  return {
    span: root,
    run: (work) => positions.run({ span: root, begin: () => root, trace }, work),
    end: (how) => {
      trace.isOver = true
      root.end(how)
    },
  }
}

/** Runs a job whose trace begins with its first transaction: what finds nothing to do leaves no trace. */
export async function inJobTrace<Result>(span: SpanStart, work: () => Promise<Result>): Promise<Result> {
  if (recorder === undefined) return work()
  const { start } = recorder
  const trace = { isOver: false }
  const position: Position = { span: undefined, begin: () => start(span, undefined), trace }
  let isFailed = true
  try {
    const result = await positions.run(position, work)
    isFailed = false
    return result
  } finally {
    trace.isOver = true
    position.span?.end({ isFailed })
  }
}

/** Runs `work` as a part of the trace around it, if there is one. */
export function inSpan<Result>(describe: () => SpanStart, work: () => Promise<Result>): Promise<Result> {
  const position = recorder && positions.getStore()
  return position?.span === undefined ? work() : record(position, position.span, describe(), work)
}

/** Like `inSpan`, and begins the trace of a job. */
export function inFirstSpan<Result>(span: SpanStart, work: () => Promise<Result>): Promise<Result> {
  const position = recorder && positions.getStore()
  if (position === undefined || position.trace.isOver) return work()
  position.span ??= position.begin()
  return record(position, position.span, span, work)
}

async function record<Result>(
  { trace, begin }: Position,
  parent: OpenSpan,
  start: SpanStart,
  work: () => Promise<Result>,
): Promise<Result> {
  // What a request left behind, such as a timer, is no part of it.
  if (recorder === undefined || trace.isOver) return work()
  const span = recorder.start(start, parent)
  let isFailed = true
  try {
    const result = await positions.run({ span, begin, trace }, work)
    isFailed = false
    return result
  } finally {
    span.end({ isFailed })
  }
}
