/** The part of autocannon's API that the benchmarks use; it ships no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  interface Request {
    method: 'GET' | 'POST' | 'PUT'
    path?: string
    setupRequest?: (request: object) => object
  }
  interface Options {
    url: string
    headers: Record<string, string>
    connections: number
    /** Seconds. Absent if `amount` sets the number of requests. */
    duration?: number
    amount?: number
    /** How often it checks whether to stop, in milliseconds. */
    sampleInt: number
    requests: Request[]
  }
  interface Result {
    non2xx: number
    errors: number
    timeouts: number
    /** By status code. */
    statusCodeStats: Record<string, { count: number }>
  }

  function autocannon(options: Options, done: (error: Error | null, result: Result) => void): EventEmitter
  export = autocannon
}
