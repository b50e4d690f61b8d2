import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '#server/core/errors.ts'

/** For how long after its issue the link to a statement works, and its recipient can appeal: six months, as the DSA's article 20 asks for. */
export const LINK_DAYS = 180

/** Half of a SHA-256: nobody guesses 128 bits. */
const MAC_BYTES = 16

/** What signs links to statements, and the desk's address, without a slash at its end. */
export interface StatementLinks {
  linkKey: Buffer
  deskUrl: string
}

/** The address of the page on which everybody who has it can read this statement, and nothing else. */
export function statementUrl({ linkKey, deskUrl }: StatementLinks, statementId: string): string {
  return `${deskUrl}/statement?token=${statementId}.${macOf(linkKey, statementId).toString('base64url')}`
}

export function linkEndOf(issuedAt: Date): Date {
  return new Date(issuedAt.getTime() + LINK_DAYS * 24 * 3_600_000)
}

/** The statement that a token is for. NOT_FOUND for one that was changed, or signed with another key. */
export function readStatementToken(key: Buffer, token: string): string {
  const [statementId = '', mac = ''] = token.split('.')
  const [right, given] = [macOf(key, statementId), Buffer.from(mac, 'base64url')]
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new DomainError('NOT_FOUND')
  return statementId
}

function macOf(key: Buffer, statementId: string): Buffer {
  return createHmac('sha256', key).update(`statement ${statementId}`).digest().subarray(0, MAC_BYTES)
}
