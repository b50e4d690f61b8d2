import { z } from 'zod'
import { text, utf16Length } from '#server/core/text.ts'
import { PASSWORD_LENGTH } from '#server/modules/accounts/access/schema.ts'

const StaffId = text({ min: 1, max: 100 })
const Password = text(PASSWORD_LENGTH)
/** One that was chosen before: whatever it is, it is compared. */
const GivenPassword = text({ min: 1, max: 200 })

/** `off`: switched off. `banned`: their user is, from the whole network. `invited`: has not taken the account up. */
export type StaffState = 'active' | 'invited' | 'off' | 'banned'

export interface StaffRole {
  roleId: string
  displayName: string
  scope: 'network' | 'community' | 'channel'
  /** In how many communities or channels; of a network role one. */
  places: number
}

export interface StaffFacts {
  staffId: string
  userId: string
  name: string
  email: string
  state: StaffState
  /** The highest first. */
  roles: StaffRole[]
  /** To the minute. */
  lastSeenAt?: string
  /** Whether signing in asks for a code of an app. */
  hasSecondFactor: boolean
  passkeys: number
  sessions: number
  /** Until when the link that was made for them opens. */
  linkExpiresAt?: string
  isSelf: boolean
  /** Whether the caller may change anything of theirs. */
  mayChange: boolean
}

export interface StaffList {
  staff: StaffFacts[]
  /** The roles that the caller may give, the highest first. */
  grantable: GrantableRole[]
}

export interface GrantableRole {
  roleId: string
  displayName: string
  scope: 'network' | 'community' | 'channel'
}

export interface StaffSession {
  sessionId: string
  /** The caller's own, which asks. */
  isThis: boolean
  startedAt: string
  lastSeenAt?: string
  expiresAt: string
  ipAddress?: string
  userAgent?: string
}

export const StaffInput = z.object({ staffId: StaffId })
export type StaffInput = z.output<typeof StaffInput>

export const InviteInput = z.object({
  email: z.email().check(utf16Length({ max: 200 })),
  name: text({ min: 1, max: 100 }),
  roleId: text({ min: 1, max: 100 }),
  /** Where a community role counts. */
  communityId: text({ min: 1, max: 900 }).optional(),
  /** Where a channel role counts. */
  channelId: text({ min: 1, max: 900 }).optional(),
})
export type InviteInput = z.output<typeof InviteInput>

/** What opens the page where one takes an account up or chooses a new password; shown once. */
export interface MadeLink {
  staffId: string
  token: string
  expiresAt: string
}

export const SwitchInput = z.object({ staffId: StaffId, isOn: z.boolean() })
export type SwitchInput = z.output<typeof SwitchInput>

/** A role of the network. */
export const StaffRoleInput = z.object({ staffId: StaffId, roleId: text({ min: 1, max: 100 }) })
export type StaffRoleInput = z.output<typeof StaffRoleInput>

/** Without a session: all of them. */
export const EndStaffSessions = z.object({ staffId: StaffId, sessionId: text({ min: 1, max: 100 }).optional() })
export type EndStaffSessions = z.output<typeof EndStaffSessions>

export const LinkInput = z.object({ token: text({ min: 1, max: 200 }) })
export type LinkInput = z.output<typeof LinkInput>

/** What a link is for, to whoever holds it. */
export interface LinkFacts {
  purpose: 'invitation' | 'password'
  email: string
  name: string
}

export const AcceptInviteInput = z.object({
  token: text({ min: 1, max: 200 }),
  /** An invitation asks for it; who has an account keeps theirs. */
  name: text({ min: 1, max: 100 }).optional(),
  password: Password,
})
export type AcceptInviteInput = z.output<typeof AcceptInviteInput>

export interface OwnSignIn {
  email: string
  /** Not where one signs in through the organisation alone. */
  hasPassword: boolean
  hasSecondFactor: boolean
  passkeys: { passkeyId: string; name?: string; addedAt: string }[]
  sessions: StaffSession[]
}

export const ChangePassword = z.object({ currentPassword: GivenPassword, newPassword: Password })
export type ChangePassword = z.output<typeof ChangePassword>

export const PasswordInput = z.object({ password: GivenPassword })
export type PasswordInput = z.output<typeof PasswordInput>

export const CodeInput = z.object({ code: text({ min: 1, max: 20 }) })
export type CodeInput = z.output<typeof CodeInput>

export const PasskeyInput = z.object({ passkeyId: text({ min: 1, max: 100 }) })
export type PasskeyInput = z.output<typeof PasskeyInput>

/** Without a session: all but the one that asks. */
export const EndOwnSessions = z.object({ sessionId: text({ min: 1, max: 100 }).optional() })
export type EndOwnSessions = z.output<typeof EndOwnSessions>
