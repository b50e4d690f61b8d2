import { randomUUID } from 'node:crypto'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '#server/core/log.ts'
import type { OpenSpan, SpanRecorder, SpanStart } from '#server/core/tracing.ts'

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
/** A stop does not wait longer for a collector. */
const FLUSH_LIMIT_MS = 2_000

interface Telemetry {
  recorder: SpanRecorder
  /** Sends what has ended. */
  stop(): Promise<void>
}

/**
 * Sends spans to `endpoint` as OTLP over HTTP, in JSON. The library reads its other standard settings itself: `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS` and so on. It is not registered for the whole process: the
 * libraries that would then add spans of their own put addresses with their parameters into them.
 */
export function openTelemetry(endpoint: string, log: Logger): Telemetry {
  const warn = (...reason: unknown[]) => log.warn({ reason: reason.map(String).join(' ') }, 'traces could not be sent')
  const ignore = () => {}
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  const defaults = resourceFromAttributes({ 'service.name': 'docket', 'service.instance.id': randomUUID() })
  const provider = new BasicTracerProvider({
    resource: defaults.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
  })
  const tracer = provider.getTracer('docket')
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<OpenSpan, Span>()

  const contextOf = (parent: OpenSpan | string | undefined): Context => {
    if (typeof parent === 'string')
      return propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter)
    const span = parent && spans.get(parent)
    return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span)
  }
  const start = ({ name, kind = 'internal', attributes = {} }: SpanStart, parent: OpenSpan | string | undefined) => {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent))
    const open: OpenSpan = {
      set: (more) => span.setAttributes(more),
      end: ({ isFailed }) => {
        if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
    spans.set(open, span)
    return open
  }
  return {
    recorder: { start },
    stop: async () => {
      const limit = AbortSignal.timeout(FLUSH_LIMIT_MS)
      const timeout = new Promise<void>((resolve) => limit.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([provider.shutdown().catch(warn), timeout])
    },
  }
}
