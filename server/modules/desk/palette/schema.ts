import { z } from 'zod'
import { text } from '#server/core/text.ts'

/** Part of a name or id, up to 100 characters. */
export const FindInput = z.object({ query: text({ min: 1, max: 100 }) })
export type FindInput = z.output<typeof FindInput>

/** The best few matches of each kind: first by exact id, then by the beginning of the name, by a part of it, by similarity. */
export interface FoundThings {
  users: FoundUser[]
  channels: FoundChannel[]
  communities: FoundCommunity[]
}

export interface FoundUser {
  userId: string
  displayName: string
  /** Pending items by this person, among what the caller reviews; up to 100. */
  held: number
  isGlobalBan: boolean
}

export interface FoundChannel {
  channelId: string
  displayName: string
}

export interface FoundCommunity {
  communityId: string
  displayName: string
  /** Whether the caller reviews its queue. */
  reviews: boolean
}
