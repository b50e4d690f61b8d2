import { z } from 'zod'
import type { Page } from '#server/core/list-page.ts'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'
import { LinkSignature } from '#server/core/wire/schema.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { BanPlace } from '#server/modules/spaces/sanctions/schema.ts'

/** Any of a person's three ids, which are two: `userPublicId` is `userId`. */
const AnyUserId = text({ min: 1, max: 900 })

/** An id, or part of a name or handle, as well as one can spell it; up to 100 characters. */
export const FindPeopleInput = z.object({ query: text({ min: 1, max: 100 }) })
export type FindPeopleInput = z.output<typeof FindPeopleInput>

/** How somebody was found, the best way first. */
export const MATCHES = ['exact', 'beginning', 'part', 'swapped', 'similar'] as const

/** Somebody in a list of people. */
export interface ListedPerson {
  userId: string
  userInternalId: string
  displayName: string
  profileHandle?: string
  isGlobalBan: boolean
  isDeleted: boolean
  createdAt: string
}

export interface FoundPerson extends ListedPerson {
  match: (typeof MATCHES)[number]
}

export const PersonInput = z.object({ userId: AnyUserId })
export type PersonInput = z.output<typeof PersonInput>

/** `cursor` is the `next` or `previous` of another page of the same list. */
export const PageInput = z.object({
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(100).default(20),
})
export type PageInput = z.output<typeof PageInput>

/** One list of a person's page. */
export const PersonListInput = PersonInput.extend(PageInput.shape)
export type PersonListInput = z.output<typeof PersonListInput>

/** Somebody who is named beside what they did; of an admin token there is a name alone. */
export interface Named {
  userId?: string
  displayName: string
}

export interface CommunityPlace {
  communityId: string
  displayName: string
  membership: 'member' | 'banned'
  roles: string[]
  since: string
}

export interface ChannelPlace {
  channelId: string
  displayName: string
  type: string
  membership: 'member' | 'banned'
  roles: string[]
  since: string
  mutedUntil?: string
}

/** Times are ISO 8601, UTC. Without `endsAt` it lasts until somebody lifts it; what is over has `liftedAt`. */
interface Measure {
  at: string
  by?: Named
  reason?: string
  endsAt?: string
  liftedAt?: string
  /** Absent where its time was over. */
  liftedBy?: Named
}

export interface BanRecord extends Measure {
  banId: string
  place: BanPlace & { displayName: string }
  /** In force, and the caller's to end before its time. */
  mayLift: boolean
}

export interface MuteRecord extends Measure {
  muteId: string
  channel: { channelId: string; displayName: string }
}

/** Beside what is approved or rejected, what reports came to. */
export type DecidedOutcome = 'approved' | 'rejected' | 'dismissed' | 'deleted'

export interface DecisionRecord {
  decisionId: string
  subjectType: string
  subjectId: string
  outcome: DecidedOutcome
  at: string
  by: Named
  author: Named
  community?: { communityId: string; displayName: string }
  reason?: string
  /** The beginning of what was decided on, while it is there. */
  excerpt?: string
  isReversal: boolean
  undoneAt?: string
}

export interface FlagRecord {
  subjectType: 'comment' | 'post' | 'message' | 'user'
  subjectId: string
  by: Named
  at: string
  reason: string
  detail?: string
  clearedAt?: string
  excerpt?: string
}

/** What the caller may do with this person, across the network. */
export interface PersonActs {
  ban: boolean
  unban: boolean
  note: boolean
  export: boolean
  erase: boolean
}

/** What is known about a person, list by list. */
export interface PersonLists {
  communities: Page<CommunityPlace>
  channels: Page<ChannelPlace>
  bans: Page<BanRecord>
  mutes: Page<MuteRecord>
  decisionsAbout: Page<DecisionRecord>
  decisionsBy: Page<DecisionRecord>
  flagsOn: Page<FlagRecord>
  flagsBy: Page<FlagRecord>
  notes: Page<Note>
}

/** Everything about a person at one look, as far as the caller may know it: the first page of each list. */
export interface Person extends PersonLists {
  user: User
  files: File[]
  /** Whether they sit at the desk themselves. */
  isStaff: boolean
  /** How many of the decisions about them stand. */
  standing: { approved: number; rejected: number }
  /** Set once somebody had them erased; finished when nothing of theirs is left. */
  erasure?: { requestedAt: string; finishedAt?: string }
  allowed: PersonActs
}

/** Why is for the log: up to 500 characters. */
export const ExportInput = z.object({
  userId: AnyUserId,
  reason: text({ min: 1, max: 500 }).refine((words) => words.trim() !== '', 'must not be blank'),
})
export type ExportInput = z.output<typeof ExportInput>

/** A link to an export. */
export const ExportLink = LinkSignature.extend({ userId: AnyUserId })
export type ExportLink = z.output<typeof ExportLink>

/** It cannot be taken back: the person's id is typed once more. */
export const EraseInput = z
  .object({ userId: AnyUserId, confirmation: text({ max: 900 }) })
  .refine(({ userId, confirmation }) => confirmation === userId, {
    path: ['confirmation'],
    message: 'must match userId',
  })
export type EraseInput = z.output<typeof EraseInput>
