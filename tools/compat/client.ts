import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import { at } from './read.ts'

/**
 * The public client, with the function names of its documentation. It is not a dependency of this project, so its types are not known here.
 */
export interface Client {
  /** Calls a function, as in `ChannelRepository.joinChannel`; `client` is the logged-in client. */
  call(name: string, ...given: unknown[]): Promise<unknown>
  /** Subscribes to an object or a list, reads it to its end, and returns the last value the subscriber received. */
  live(name: string, asked: unknown): Promise<unknown>
  /** The error code of a call that must fail. */
  codeOf(call: Promise<unknown>): Promise<unknown>
  /** Its own HTTP client, for endpoints that none of its functions calls. */
  http(request: HttpRequest): Promise<unknown>
  /** The requests it has sent since the last call, without its read markers, which are optional. */
  takeRequests(): string[]
}

interface HttpRequest {
  method: string
  url: string
  params?: object
  data?: object
  headers?: Record<string, string>
}

/** The part of the internal HTTP client (axios) that is used. */
interface Http {
  request(request: HttpRequest): Promise<{ data: unknown }>
  defaults: { adapter: string }
  interceptors: { request: { use(see: (request: HttpRequest) => HttpRequest): void } }
}

const LIVE_LIMIT_MS = 15_000

export function loadClient({ folder, url, apiKey }: { folder: string; url: string; apiKey: string }): Client {
  const library: Record<string, unknown> = createRequire(path.join(folder, 'package.json'))('@amityco/ts-sdk')
  const invoke = (name: string, ...given: unknown[]): unknown => {
    const called = at(names, ...name.split('.'))
    assert.ok(typeof called === 'function', `the client has no ${name}`)
    return called(...given)
  }
  const names: Record<string, unknown> = { ...library }
  names.client = invoke('Client.createClient', apiKey, 'us', {
    apiEndpoint: { http: url, mqtt: url.replace('http', 'ws') },
    rteEnabled: false,
  })
  const http = at(names, 'client', 'http') as Http
  // With the Node adapter, one of the client's own hooks fails after every response.
  http.defaults.adapter = 'fetch'
  let requests: string[] = []
  http.interceptors.request.use((request) => {
    requests.push(`${request.method.toUpperCase()} ${request.url}`)
    return request
  })

  return {
    call: async (name, ...given) => invoke(name, ...given),
    live: (name, asked) => readLive((publish) => invoke(name, asked, publish)),
    codeOf: (call) =>
      call.then(
        () => assert.fail('was not refused'),
        (error: unknown) => at(error, 'code'),
      ),
    http: async (request) => (await http.request(request)).data,
    takeRequests: () => {
      const taken = requests
      requests = []
      return taken.filter((request) => !request.includes('/api/v1/markers/'))
    },
  }
}

/** A list emits its pages one after the other, each with those before it. */
function readLive(subscribe: (publish: (page: unknown) => void) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('the subscriber received no event')), LIVE_LIMIT_MS)
    subscribe((page) => {
      if (at(page, 'loading') === true) return
      const error = at(page, 'error')
      const turn = at(page, 'onNextPage')
      if (error === undefined && at(page, 'hasNextPage') === true && typeof turn === 'function') return void turn()
      clearTimeout(limit)
      if (error === undefined) resolve(page)
      else reject(error)
    })
  })
}
