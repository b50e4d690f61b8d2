import { z } from 'zod'
import { text } from '#server/core/text.ts'

/** Part of a name or id, up to 100 characters. */
export const FindInput = z.object({ query: text({ min: 1, max: 100 }) })
export type FindInput = z.output<typeof FindInput>

/** Of each kind the few that fit best: by their very id, then by how the name begins, by a part of it, by one that is much like it. */
export interface FoundThings {
  users: FoundUser[]
  channels: FoundChannel[]
  communities: FoundCommunity[]
}

export interface FoundUser {
  userId: string
  displayName: string
  /** What of theirs waits, among what the caller reviews; up to 100. */
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
  /** Whether its queue is the caller's. */
  reviews: boolean
}
