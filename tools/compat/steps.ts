import assert from 'node:assert/strict'
import type { Client } from './client.ts'

export interface Steps {
  /** Runs one call of the client and checks its effect; prints whether it worked, and continues either way. */
  step(name: string, act: () => Promise<void>): Promise<void>
  /** Reports an error outside of a step. */
  fail(name: string, error: unknown): void
  /** Prints how many steps worked; returns whether all did. */
  conclude(): boolean
}

export function createSteps(client: Client): Steps {
  let [worked, failed] = [0, 0]
  const fail = (name: string, error: unknown) => {
    print(`FAILED  ${name}: ${oneLine(error)}`)
    failed += 1
  }
  return {
    fail,
    step: async (name, act) => {
      client.takeRequests()
      try {
        await act()
        // A result from the client's own cache proves nothing about the server.
        const requests = client.takeRequests()
        assert.ok(requests.length > 0, 'asked nothing of the server')
        print(`ok      ${name}`)
        worked += 1
      } catch (error) {
        fail(name, error)
      }
    },
    conclude: () => {
      print(`${worked} of ${worked + failed} calls of the public client worked`)
      return failed === 0
    },
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function oneLine(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `${error instanceof Error ? error.message : String(error)}${code}`.replace(/\s+/g, ' ').slice(0, 600)
}
