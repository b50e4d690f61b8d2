import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { healthRoutes, type Readiness } from '#server/http/health.ts'

async function openWith(readiness: Readiness) {
  const app = Fastify()
  const stopping = new AbortController().signal
  await app.register(healthRoutes, { readiness, stopping, metricsToken: undefined, isBehindProxy: false })
  return async () => (await app.inject('/readyz')).statusCode
}

test('/readyz answers 503 while the database says nothing, and asks it again the next time', async () => {
  let isSilent = true
  const ask = await openWith(() => (isSilent ? new Promise<never>(() => {}) : Promise.resolve(true)))
  expect(await Promise.all([ask(), ask()])).toEqual([503, 503])
  isSilent = false
  expect(await ask()).toBe(200)
})

test('/readyz answers 503 where asking the database fails', async () => {
  const ask = await openWith(() => Promise.reject(new Error('away')))
  expect(await ask()).toBe(503)
})
