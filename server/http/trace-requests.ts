import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OpenTrace, openTrace } from '#server/core/tracing.ts'

const STREAM = /text\/event-stream/

/**
 * One span a request, named by its route's pattern, never by its path: ids and search words stay out. Without streams, which last as long as
 * a desk is open, and without probes and files. Continues the trace of a trusted proxy.
 */
export function traceRequests(app: FastifyInstance, { isBehindProxy }: { isBehindProxy: boolean }): void {
  const traces = new WeakMap<FastifyRequest, OpenTrace>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route = 'none', config } = request.routeOptions
    if (config.isUnlimited || STREAM.test(request.headers.accept ?? '')) return done()
    const { traceparent } = request.headers
    const opened = openTrace(
      {
        name: `${request.method} ${route}`,
        kind: 'server',
        attributes: { 'http.request.method': request.method, 'http.route': route, 'docket.request.id': request.id },
      },
      isBehindProxy && typeof traceparent === 'string' ? traceparent : undefined,
    )
    if (opened === undefined) return done()
    traces.set(request, opened)
    return opened.run(done)
  })
  // Reading a body leaves the context in which it began.
  app.addHook('preValidation', (request, _reply, done) => {
    const opened = traces.get(request)
    return opened === undefined ? done() : opened.run(done)
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const opened = traces.get(request)
    opened?.span.set({ 'http.response.status_code': statusCode })
    opened?.end({ isFailed: statusCode >= 500 })
  })
}
