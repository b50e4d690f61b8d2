import { expect } from 'vitest'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

type Assertion = ReturnType<typeof expect.poll>

/**
 * `expect(await read())`, read again until it holds. A failure says what was waited for: `eventually('all events are numbered', count).toBe(0)`.
 */
export function eventually(what: string, read: () => unknown): Assertion {
  return expect.poll(read, { message: `waited until ${what}`, timeout: WAIT_LIMIT_MS, interval: 20 })
}
