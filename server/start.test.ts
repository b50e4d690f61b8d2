import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the libraries for traces and for sign-in are not loaded before they are needed', () => {
  const script = `
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
    await import('./server/start.ts')`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(loaded).toContain('/node_modules/fastify/')
  expect(loaded).not.toMatch(/@opentelemetry\/(sdk|exporter|otlp|resources|core)/)
  expect(loaded).not.toMatch(/\/(better-auth|@better-auth\/(?!utils)[^/]+)\//)
}, 60_000)
