import assert from 'node:assert/strict'
import { at } from './read.ts'

/** Another caller over plain HTTP, which checks whether a call of the client had its effect. */
export interface Caller {
  get(path: string): Promise<unknown>
  send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>
  /** The error code of a call that must fail. */
  codeOf(method: string, path: string, body?: object): Promise<unknown>
}

export function callerOf(url: string, headers: Record<string, string>): Caller {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { ok: answer.ok, body: (await answer.json()) as unknown }
  }
  const succeed = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body)
    assert.ok(answer.ok, `${method} ${path} answered ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    get: (path) => succeed('GET', path),
    send: succeed,
    codeOf: async (method, path, body) => {
      const answer = await call(method, path, body)
      assert.ok(!answer.ok, `${method} ${path} was not refused`)
      return at(answer.body, 'code')
    },
  }
}
