import { z } from 'zod'
import { text } from '#server/core/text.ts'

/** `sessions`: opens those of ordinary users. `roles`: grants community roles. `server`: vouches for users; a backend keeps it secret. */
export const KEY_ALLOWS = ['sessions', 'roles', 'server'] as const
export type KeyAllows = (typeof KEY_ALLOWS)[number]

interface CredentialFacts {
  createdAt: string
  /** Nobody where the command line made it. */
  madeBy?: { userId: string; name: string }
  /** To the minute. */
  lastUsedAt?: string
  revokedAt?: string
}

export interface KeyRow extends CredentialFacts {
  keyId: string
  name: string
  allows: string[]
}

export interface TokenRow extends CredentialFacts {
  tokenId: string
  /** What it acts with. */
  roleName: string
  expiresAt: string
  hasExpired: boolean
}

export interface Credentials {
  keys: KeyRow[]
  tokens: TokenRow[]
  /** The roles that the caller may give a token, the highest first. */
  grantable: { roleId: string; displayName: string }[]
}

export const KeyInput = z.object({
  name: text({ min: 1, max: 100 }),
  allows: z.array(z.enum(KEY_ALLOWS)).min(1).max(KEY_ALLOWS.length),
})
export type KeyInput = z.output<typeof KeyInput>

const YEAR_HOURS = 365 * 24

export const TokenInput = z.object({ roleId: text({ min: 1, max: 100 }), hours: z.int().min(1).max(YEAR_HOURS) })
export type TokenInput = z.output<typeof TokenInput>

/** Nobody keeps it: it is shown this once. */
export interface IssuedSecret {
  secret: string
  expiresAt?: string
}

export const CredentialInput = z.object({ kind: z.enum(['key', 'token']), id: text({ min: 1, max: 100 }) })
export type CredentialInput = z.output<typeof CredentialInput>

export interface RevokedCredential {
  /** Those that apps had opened with the key. */
  endedSessions: number
}
