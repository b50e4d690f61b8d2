import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, ResourceId, text, visibleText } from '#server/core/text.ts'
import type { ShownFlag } from '#server/modules/review/items/schema.ts'

export const MESSAGE_KINDS = ['text', 'image', 'video', 'audio', 'file'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/**
 * The search criteria, all of which apply: words or, with `isExact`, an exact phrase; one channel; one of these authors, kinds or tags;
 * whole days of `timeZone`. Without words, a channel or an author is required.
 */
export const DeskMessagesInput = z.object({
  query: text({ max: 1_024 }).default(''),
  isExact: z.boolean().default(false),
  channelId: ResourceId.optional(),
  userIds: z.array(ResourceId).min(1).max(10).optional(),
  types: z.array(z.enum(MESSAGE_KINDS)).min(1).max(5).optional(),
  tags: z
    .array(text({ min: 1, max: 30 }))
    .min(1)
    .max(10)
    .optional(),
  startDate: CalendarDate.optional(),
  endDate: CalendarDate.optional(),
  timeZone: TimeZone.default('UTC'),
  sortBy: z.enum(['createdAt', 'relevance']).default('createdAt'),
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(100).default(20),
})
export type DeskMessagesInput = z.output<typeof DeskMessagesInput>

/** A message as moderators of its channel see it; a deleted one has no text, and a search result only a part of it. */
export interface DeskMessage {
  messageId: string
  channel: { channelId: string; displayName: string; isConversation: boolean }
  author: { userId: string; displayName: string; isBannedHere: boolean }
  kind: string
  text: string
  at: string
  isEdited: boolean
  isDeleted: boolean
  tags: string[]
  flagCount: number
  /** Present while flags on it await a decision: the version that is decided on. */
  reportVersion?: number
  may: { delete: boolean; clearFlags: boolean; ban: boolean; mute: boolean }
}

export interface DeskMessages {
  messages: DeskMessage[]
  /** Exact up to 10,000; absent where no text was searched and messages are listed by time. */
  found?: { count: number; isLowerBound: boolean }
  next?: string
  previous?: string
}

export const AroundInput = z.object({ messageId: ResourceId, span: z.int().min(1).max(50).default(8) })
export type AroundInput = z.output<typeof AroundInput>

/** A message among its neighbours, in the order in which they were written. */
export interface MessageAround {
  message: DeskMessage
  before: DeskMessage[]
  after: DeskMessage[]
  hasMoreBefore: boolean
  hasMoreAfter: boolean
  flags: ShownFlag[]
}

export const MessageInput = z.object({ messageId: ResourceId })
export type MessageInput = z.output<typeof MessageInput>

/** The reason is for the log: up to 250 characters. */
export const OpenChannelInput = z.object({
  channelId: ResourceId,
  reason: visibleText({ max: 250 }),
})
export type OpenChannelInput = z.output<typeof OpenChannelInput>
