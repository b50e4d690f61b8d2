import { z } from 'zod'
import { text } from '#server/core/text.ts'
import { PolicyId } from '#server/modules/network/policies/schema.ts'

const Id = text({ min: 1, max: 900 })

/** Where a ban applies. */
export const BanSpace = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('channel'), channelId: Id }),
  z.object({ scope: z.literal('community'), communityId: Id }),
  z.object({ scope: z.literal('network') }),
])
export type BanSpace = z.output<typeof BanSpace>
export type BanScope = BanSpace['scope']
/** A channel or community. */
export type OneSpace = Exclude<BanSpace, { scope: 'network' }>

/** What a moderator does against people, and where: nobody is muted in the network. */
export const SANCTION_SCOPES = {
  ban: ['channel', 'community', 'network'],
  mute: ['channel', 'community'],
} as const satisfies Record<string, readonly BanScope[]>
export type SanctionKind = keyof typeof SANCTION_SCOPES
export type SanctionPlace = {
  [Kind in SanctionKind]: { sanction: Kind; scope: (typeof SANCTION_SCOPES)[Kind][number] }
}[SanctionKind]

/**
 * Why an account isn't banned or muted with others: deleted, outside what the caller may act on, banned or muted already, not a member, who can't
 * be muted, someone who reviews content or moderates, or of no lower rank. CHANGED: somebody has changed its ban or mute since.
 */
export type SanctionFailure = 'GONE' | 'FORBIDDEN' | 'BANNED' | 'MUTED' | 'NOT_MEMBER' | 'REVIEWER' | 'RANK' | 'CHANGED'

const HOUR = 60
const YEAR = 366 * 24 * HOUR

/** From an hour to ten years, in minutes; null is until somebody lifts it. A reason of up to 500 characters. */
export const BanInput = z.object({
  userId: Id,
  space: BanSpace,
  minutes: z
    .int()
    .min(HOUR)
    .max(10 * YEAR)
    .nullable(),
  reason: text({ max: 500 }).optional(),
  /** The policy that was broken. */
  policyId: PolicyId.optional(),
})
export type BanInput = z.output<typeof BanInput>

/** What became of the spaces that a banned person moderated. */
export interface BanDone {
  /** Names of those that had a moderator before, and have none now. */
  withoutModerator: string[]
}

/** People who would be banned from one space, or everywhere. */
export const LastModeratedInput = z.object({ space: BanSpace, userIds: z.array(Id).min(1).max(100) })
export type LastModeratedInput = z.output<typeof LastModeratedInput>

export const UnbanInput = BanInput.pick({ userId: true, space: true })
export type UnbanInput = z.output<typeof UnbanInput>

/** The person, and the space where the caller came across them, if it was in one. */
export const BanChoicesInput = z.object({ userId: Id, communityId: Id.optional(), channelId: Id.optional() })
export type BanChoicesInput = z.output<typeof BanChoicesInput>

/** Where the caller may ban this person, and where they are banned already. */
export interface BanChoice {
  space: BanSpace
  displayName: string
  /** Set while a ban is in force. */
  ban?: { by?: string; at: string; endsAt?: string; reason?: string; policyId?: string }
}

/** Where the caller may mute this person, and where they are muted already. */
export interface MuteChoice {
  space: OneSpace
  displayName: string
  /** Set while a mute is in force; `by` is the rule's name if one made it. */
  mute?: { by?: string; at?: string; endsAt?: string; reason?: string; policyId?: string }
}

/** A ban as shown to reviewers of the person. An imported one has no record of who, when and why. */
export interface BanInForce {
  space: BanSpace
  /** Of the channel or community; absent for the network. */
  displayName: string
  by?: string
  at?: string
  endsAt?: string
  reason?: string
  policyId?: string
  /** Whether the caller may ban, and so lift bans, there. */
  mayLift: boolean
}

/** A mute in force, as shown to those who review or mute there; `by` is the rule's name if one made it. */
export interface MuteInForce extends BanInForce {
  space: OneSpace
}
