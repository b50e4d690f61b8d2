import http from 'node:http'
import https from 'node:https'

/** How many idle connections a host keeps: as many as a process posts to one endpoint at once. */
const IDLE_PER_HOST = 8
/** Shorter than most servers keep an idle connection open. */
const IDLE_MS = 4_000

/** Connections to receivers, kept open for the next post to the same host. */
export interface OutsideConnections {
  http: http.Agent
  https: https.Agent
  close(): void
}

export function openOutsideConnections(): OutsideConnections {
  const options = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST, timeout: IDLE_MS }
  const agents = { http: new http.Agent(options), https: new https.Agent(options) }
  return {
    ...agents,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}
