import { z } from 'zod'
import { text, utf16Length, visibleText } from '#server/core/text.ts'
import { PASSWORD_LENGTH } from '#server/modules/accounts/access/schema.ts'

const StaffId = text({ min: 1, max: 100 })
const Password = text(PASSWORD_LENGTH)
/** An existing password: it is compared whatever its form. */
const GivenPassword = text({ min: 1, max: 200 })

/** `off`: switched off. `banned`: their user is banned from the whole network. `invited`: has not accepted the invite. */
export type StaffState = 'active' | 'invited' | 'off' | 'banned'

export interface StaffRole {
  roleId: string
  displayName: string
  scope: 'network' | 'community' | 'channel'
  /** The number of communities or channels; 1 for a network role. */
  spaces: number
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
  /** When the link that was created for them expires. */
  linkExpiresAt?: string
  isSelf: boolean
  /** Whether the caller may change anything about them. */
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
  /** The session of the request. */
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
  name: visibleText({ max: 100 }),
  roleId: text({ min: 1, max: 100 }),
  /** The community a community role applies to. */
  communityId: text({ min: 1, max: 900 }).optional(),
  /** The channel a channel role applies to. */
  channelId: text({ min: 1, max: 900 }).optional(),
})
export type InviteInput = z.output<typeof InviteInput>

/** The token of the page where an invite is accepted or a new password chosen; shown once. */
export interface MadeLink {
  staffId: string
  token: string
  expiresAt: string
}

export const SwitchInput = z.object({ staffId: StaffId, isOn: z.boolean() })
export type SwitchInput = z.output<typeof SwitchInput>

/** A network role. */
export const StaffRoleInput = z.object({ staffId: StaffId, roleId: text({ min: 1, max: 100 }) })
export type StaffRoleInput = z.output<typeof StaffRoleInput>

/** Ends a colleague's session; without one, all of them. */
export const EndStaffSessions = z.object({ staffId: StaffId, sessionId: text({ min: 1, max: 100 }).optional() })
export type EndStaffSessions = z.output<typeof EndStaffSessions>

export const LinkInput = z.object({ token: text({ min: 1, max: 200 }) })
export type LinkInput = z.output<typeof LinkInput>

/** What a link is for, as shown to anyone who has it. */
export interface LinkFacts {
  purpose: 'invitation' | 'password'
  email: string
  name: string
}

export const AcceptInviteInput = z.object({
  token: text({ min: 1, max: 200 }),
  /** Required for an invitation; an existing account keeps its name. */
  name: visibleText({ max: 100 }).optional(),
  password: Password,
})
export type AcceptInviteInput = z.output<typeof AcceptInviteInput>

export interface OwnSignIn {
  email: string
  /** Absent where the organisation's sign-in is the only one. */
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

/** Ends one's own session; without one, all but that of the request. */
export const EndOwnSessions = z.object({ sessionId: text({ min: 1, max: 100 }).optional() })
export type EndOwnSessions = z.output<typeof EndOwnSessions>
