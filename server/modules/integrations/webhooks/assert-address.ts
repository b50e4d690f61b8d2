import { isIP } from 'node:net'
import { DomainError } from '#server/core/errors.ts'
import { isLoopbackAddress, isPublicAddress } from '#server/modules/integrations/webhooks/public-address.ts'
import type { EndpointProblem } from '#server/modules/integrations/webhooks/schema.ts'

/**
 * INVALID_PARAMETERS for an address that could never be posted to: without TLS, with a password in it, or with an IP address
 * that is not public. Names are resolved and checked at each attempt.
 */
export function assertAddress(url: string, { allowsLoopback }: { allowsLoopback: boolean }): void {
  const { protocol, hostname, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLoopback = host === 'localhost' || (isIP(host) !== 0 && isLoopbackAddress(host))
  if (isLoopback && allowsLoopback) return
  if (protocol !== 'https:') reject('notHttps')
  if (username !== '' || password !== '') reject('holdsPassword')
  if (isLoopback || (isIP(host) !== 0 && !isPublicAddress(host))) reject('notPublic')
}

/** Fields as the log has them: of an address its origin only, as its path and query may have secrets, and the log has more readers than the settings. */
export function inLog(fields: Record<string, unknown>): Record<string, unknown> {
  return typeof fields.url === 'string' ? { ...fields, url: new URL(fields.url).origin } : fields
}

function reject(problem: EndpointProblem): never {
  throw new DomainError('INVALID_PARAMETERS', { problem })
}
