import { z } from 'zod'
import { optionalName, text, utf16Length, visibleText } from '#server/core/text.ts'
import { Time, UserId } from '#server/core/wire/schema.ts'
import { Role } from '#server/modules/accounts/roles/schema.ts'
import { User } from '#server/modules/accounts/users/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'

/** The person signed in to the desk. */
export interface Me {
  staffId: string
  userId: string
  name: string
  email: string
  /** Display names of the roles held, the highest first, each with the number of spaces it is held in. */
  roles: { roleId: string; displayName: string; scope: 'network' | 'community' | 'channel'; spaces: number }[]
  /** Whether the caller may review any queue: held content of a community, or reports of a channel. */
  reviews: boolean
  /** Whether the network lets texts be translated. */
  translates: boolean
  /** The parts of the desk, besides the queue, that the caller may open. */
  opens: Section[]
  /** The parts of the settings that the caller may change. */
  settings: SettingsPart[]
}

/** A part of the desk. Each response says what can be done in it and with which rows. */
export type Section = 'appeals' | 'channels' | 'messages' | 'communities' | 'users' | 'insights' | 'audit' | 'settings'

/** A part of the settings: of the network, rules also of a community; the last three are the caller's own. */
export type SettingsPart =
  | 'flags'
  | 'roles'
  | 'staff'
  | 'credentials'
  | 'webhooks'
  | 'classifiers'
  | 'policies'
  | 'reasons'
  | 'rules'
  | 'targets'
  | 'mail'
  | 'translation'
  | 'security'
  | 'notifications'
  | 'preferences'

export const PASSWORD_LENGTH = { min: 12, max: 128 }

/** Creates the first admin, with the one-time link that the terminal shows. */
export const SetUpInput = z.object({
  token: text({ min: 1, max: 200 }),
  name: visibleText({ max: 100 }),
  email: z.email().check(utf16Length({ max: 200 })),
  password: text(PASSWORD_LENGTH),
})
export type SetUpInput = z.output<typeof SetUpInput>

/** Ids with these prefixes belong to the network itself (docs/interface/authentication.md#open-a-session). */
const RESERVED_ID = /^(ADMIN|DELETED)_/

/** An unknown user is created; a known one keeps their name (docs/interface/authentication.md#open-a-session). */
export const SessionInput = z.object({
  userId: UserId.refine((id) => !RESERVED_ID.test(id), 'must not start with ADMIN_ or DELETED_'),
  deviceId: text({ min: 1, max: 150 }),
  deviceInfo: z
    .object({ kind: text({ max: 50 }), model: text({ max: 250 }), sdkVersion: text({ max: 250 }) })
    .partial()
    .optional(),
  displayName: optionalName({ max: 100 }).optional(),
  profileHandle: visibleText({ max: 100 }).optional(),
  /** From `POST /api/v4/authentication/token`; needed for staff, and for everyone in secure mode. */
  authToken: text({ max: 1000 }).optional(),
})
export type SessionInput = z.output<typeof SessionInput>

/** The session's user; absent in admin context. */
const SessionHolder = {
  users: z.array(User),
  /** The network roles that the user holds. */
  roles: z.array(Role),
  files: z.array(File),
}

export const Session = z
  .object({ ...SessionHolder, issuedAt: Time, expiresAt: Time, userType: z.enum(['signed-in']).optional() })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

/** A newly opened session, shown once. */
export const OpenedSession = z.object({ accessToken: z.string(), ...Session.shape }).meta({ id: 'OpenedSession' })
export type OpenedSession = z.output<typeof OpenedSession>

/** `sessions`: opens those of ordinary users. `roles`: grants community roles. `server`: vouches for users; a backend keeps it secret. `signals`: sends scores. */
export const KEY_ALLOWS = ['sessions', 'roles', 'server', 'signals'] as const
export type KeyAllows = (typeof KEY_ALLOWS)[number]

interface CredentialFacts {
  createdAt: string
  /** Absent where the command line created it. */
  madeBy?: { userId: string; name: string }
  /** To the minute. */
  lastUsedAt?: string
  revokedAt?: string
}

/** How many sessions of a key are counted at most: this number stands for more, too. */
export const SESSIONS_COUNTED = 1_000

export interface KeyRow extends CredentialFacts {
  keyId: string
  name: string
  allows: string[]
  /** Those that it opened and that are in use, up to SESSIONS_COUNTED. */
  sessions: number
}

export interface TokenRow extends CredentialFacts {
  tokenId: string
  /** What it is for, if it was given one. */
  name?: string
  /** The role it acts with. */
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
  name: visibleText({ max: 100 }),
  allows: z.array(z.enum(KEY_ALLOWS)).min(1).max(KEY_ALLOWS.length),
})
export type KeyInput = z.output<typeof KeyInput>

const YEAR_HOURS = 365 * 24

export const TokenInput = z.object({
  name: text({ min: 1, max: 100 }),
  roleId: text({ min: 1, max: 100 }),
  hours: z.int().min(1).max(YEAR_HOURS),
})
export type TokenInput = z.output<typeof TokenInput>

/** A secret that was issued. It isn't stored, and is shown only this once. */
export interface IssuedSecret {
  secret: string
  expiresAt?: string
}

export const CredentialInput = z.object({ kind: z.enum(['key', 'token']), id: text({ min: 1, max: 100 }) })
export type CredentialInput = z.output<typeof CredentialInput>

export interface RevokedCredential {
  /** The number of sessions that apps had opened with the key. */
  endedSessions: number
}
