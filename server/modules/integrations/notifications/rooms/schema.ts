import { z } from 'zod'
import { ResourceId, visibleText, webAddress } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { REPORTS_FROM, TOPICS, type Topic } from '#server/modules/integrations/notifications/schema.ts'
import type { TryProblem } from '#server/modules/integrations/webhooks/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** The most rooms of the network. */
export const ROOMS_LIMIT = 20

export const ROOM_FORMATS = ['slack', 'discord'] as const
export type RoomFormat = (typeof ROOM_FORMATS)[number]
export const ROOM_LANGUAGES = ['en', 'de', 'ar'] as const
export type RoomLanguage = (typeof ROOM_LANGUAGES)[number]

/** `address`: an incoming webhook of the chat; it is never shown again. `communityId`: only what happens there; without it, in the whole network. */
const RoomFields = z.object({
  name: visibleText({ max: 80 }),
  format: z.enum(ROOM_FORMATS),
  topics: z.array(z.enum(TOPICS)).min(1).max(TOPICS.length),
  communityId: CommunityId.optional(),
  reportsFrom: z.int().min(REPORTS_FROM.min).max(REPORTS_FROM.max).default(REPORTS_FROM.usual),
  language: z.enum(ROOM_LANGUAGES).default('en'),
})

const Address = webAddress({ max: 2_000 })

/** Webhooks are the network's: a room of a community isn't told of them. */
const fitsScope = ({ topics, communityId }: z.output<typeof RoomFields>) =>
  communityId === undefined || !topics.includes('webhooks')
const SCOPE_PROBLEM = { path: ['topics'], error: 'must not contain webhooks for a community' }

export const NewRoom = RoomFields.extend({ address: Address }).refine(fitsScope, SCOPE_PROBLEM)
export type NewRoom = z.output<typeof NewRoom>

/** `version` as it was read: a change of anything else than that fails. */
export const RoomInput = z.object({ roomId: ResourceId, version: Version })
export type RoomInput = z.output<typeof RoomInput>

/** Without `address`, the stored one stays. */
export const RoomChange = RoomFields.extend({ ...RoomInput.shape, address: Address.optional() }).refine(
  fitsScope,
  SCOPE_PROBLEM,
)
export type RoomChange = z.output<typeof RoomChange>

export const RoomParams = RoomInput.pick({ roomId: true })
export type RoomParams = z.output<typeof RoomParams>

/** Why something wasn't posted: as for webhooks; `secret`: the address can't be read, as DOCKET_SECRET has changed. */
export type RoomProblem = TryProblem | 'secret'

/** A chat room as the settings show it, without its address. */
export interface Room {
  roomId: string
  version: number
  name: string
  format: RoomFormat
  /** Of its address. */
  host: string
  topics: Topic[]
  /** Absent: the whole network. */
  community?: { communityId: string; name: string }
  reportsFrom: number
  language: RoomLanguage
  lastSentAt?: string
  /** Of posts since the last one that was taken. */
  lastFailure?: { at: string; problem: RoomProblem; status?: number }
  /** Notifications that weren't posted yet. */
  waiting: number
}

/** How a test went. `status` is what the chat answered. */
export interface RoomTest {
  durationMs: number
  problem?: RoomProblem
  status?: number
}
