import { z } from 'zod'
import { text } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { HeldOutcome, Reason, Subject, type Undone } from '#server/modules/review/decisions/schema.ts'
import { DeskFilter } from '#server/modules/review/queue/schema.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import {
  type BanDone,
  BanInput,
  type BanScope,
  BanSpace,
  SANCTION_SCOPES,
  type SanctionFailure,
  type SanctionKind,
  type SanctionPlace,
} from '#server/modules/spaces/sanctions/schema.ts'

/** The most items in one bulk action. */
export const BULK_LIMIT = 1_000

const BulkId = z.uuid()

/** Messages and people are reported, never held: they are decided on one by one. */
const canBeHeld = ({ subjectType }: Subject) => subjectType === 'comment' || subjectType === 'post'
const HELD_ONLY = 'must be a comment or a post'
/** A comment or post, of which some can be held. */
export const HeldSubject = Subject.refine(canBeHeld, HELD_ONLY)

/** An item, at the version the caller saw. */
export const SeenItem = Subject.extend({ version: Version }).refine(canBeHeld, HELD_ONLY)
export type SeenItem = z.output<typeof SeenItem>

/** What is published, at the version the caller saw. */
const SeenPublished = Subject.extend({ version: Version }).refine(
  ({ subjectType }) => subjectType !== 'user',
  'must be a comment, a post or a message',
)

/** All with the same text as one of these, newest first, or the wave of an item, least similar first; up to the limit. */
const PreviewLike = z.union([
  z.object({ alike: z.array(HeldSubject).min(1).max(BULK_LIMIT) }),
  z.object({ wave: HeldSubject }),
])
export type PreviewLike = z.output<typeof PreviewLike>

/** The selection: individual items, all that match a filter, or all that are like some; up to the limit. */
export const PreviewBulk = z.union([
  z.object({ items: z.array(SeenItem).min(1).max(BULK_LIMIT) }),
  z.object({ matching: DeskFilter }),
  PreviewLike,
])
export type PreviewBulk = z.output<typeof PreviewBulk>

/** What the bulk action would do. */
export interface BulkPreview {
  items: PreviewedItem[]
  /** More items match than one bulk action can take. */
  isCut: boolean
  /** Of a wave. */
  overTime?: WaveOverTime
}

/** When the items of a wave were held: how many in each piece of the time from the first to the last; one piece if that is the same instant. */
export interface WaveOverTime {
  from: string
  to: string
  counts: number[]
}

/** What a rule against a wave starts with. */
export interface WaveRule {
  /** Finds its members, as far as their words and links allow; absent if they share nothing that a rule could look for. */
  condition?: Condition
  /** Words of the open item that nearly all members have. */
  words: string[]
  /** The communities it is in. */
  communityIds: string[]
}

export interface PreviewedItem extends SeenItem {
  excerpt: string
  isFlagged: boolean
  /** A key that all with this text have, where there are several. */
  alikeKey?: string
  authorName: string
  communityName: string
  /**
   * Why it can't be decided: the caller wrote it, it is no longer pending or was edited, the caller can't see it, or somebody else has
   * claimed it.
   */
  error?: BulkError
  /** Who has claimed it, if that is the reason. */
  claimedByName?: string
  /** Who decided it first, if that is the reason. */
  decided?: { outcome: HeldOutcome; decidedByName: string; decidedAt: string }
  /** Among items with the same text, or of a wave: why it needs a separate decision, although it could be decided with the others. */
  apart?: { why: Apart; who?: string }
}
/** Escalated, opened by a colleague right now, flagged, or edited after it was written. */
export type Apart = 'escalated' | 'viewed' | 'flagged' | 'edited'
export const BULK_ERRORS = ['FORBIDDEN', 'CHANGED', 'NOT_FOUND', 'CLAIMED'] as const
export type BulkError = (typeof BULK_ERRORS)[number]

/** The authors of the items; those who also wrote one of `except` are spared. */
const Authors = { except: z.array(HeldSubject).max(BULK_LIMIT) }

const SanctionTerms = z.object({ ...Authors, ...BanInput.pick({ minutes: true, reason: true, policyId: true }).shape })

/** Bans or mutes the authors of what is rejected: in its community or in the channel of that community; or bans them from the network. */
const BulkSanction = z.discriminatedUnion('sanction', [
  SanctionTerms.extend({ sanction: z.literal('ban'), scope: z.enum(SANCTION_SCOPES.ban) }),
  SanctionTerms.extend({ sanction: z.literal('mute'), scope: z.enum(SANCTION_SCOPES.mute) }),
])
export type BulkSanction = z.output<typeof BulkSanction>

export const PreviewSanctions = z.object({ ...Authors, items: z.array(HeldSubject).min(1).max(BULK_LIMIT) })
export type PreviewSanctions = z.output<typeof PreviewSanctions>

/** Why an account isn't banned or muted: as `SanctionFailure`, it wrote what is left out, or nothing that it wrote was rejected. */
export type BulkSanctionFailure = SanctionFailure | 'EXCEPTED' | 'NOT_REJECTED'

/** How many accounts wrote the items, how many of them can be banned or muted, and why not the others. */
export type SanctionForecast = SanctionPlace & {
  accounts: number
  possible: number
  refused: { why: BulkSanctionFailure; count: number }[]
}

export const StartBulk = z
  .object({
    /** An id chosen by the caller: a repeated request starts the bulk action once. */
    bulkId: BulkId,
    outcome: HeldOutcome,
    reasonId: text({ min: 1, max: 100 }).optional(),
    reason: Reason.optional(),
    /** With a rejection. */
    sanction: BulkSanction.optional(),
    /** Held items. */
    items: z.array(SeenItem).max(BULK_LIMIT),
    /** With a rejection: what is published, and is deleted. */
    published: z.array(SeenPublished).min(1).max(BULK_LIMIT).optional(),
  })
  .refine(({ items, published = [] }) => isBetween(1, BULK_LIMIT, items.length + published.length), {
    path: ['items'],
    message: `must contain 1 to ${BULK_LIMIT} items, together with published`,
  })
  .refine(({ items, published = [] }) => areDistinct([...items, ...published]), {
    path: ['items'],
    message: 'must not contain the same item twice',
  })
  .refine(({ published, outcome }) => !published || outcome === 'rejected', {
    path: ['published'],
    message: 'what is published is deleted, which comes with rejections',
  })
  .refine(({ sanction, outcome }) => !sanction || outcome === 'rejected', 'bans and mutes come with rejections')
export type StartBulk = z.output<typeof StartBulk>

function areDistinct(subjects: Subject[]): boolean {
  return new Set(subjects.map(({ subjectType, subjectId }) => `${subjectType}:${subjectId}`)).size === subjects.length
}

function isBetween(least: number, most: number, count: number): boolean {
  return count >= least && count <= most
}

/** The most items that one ban removes: their undo fits into the time for which events are held while a bulk action works. */
export const REMOVAL_LIMIT = 20_000
/** How many of them a preview lists, to be left out. */
export const REMOVAL_SHOWN = 100

const Removal = {
  /** Where: one community with its channel, one channel, or wherever the caller may decide. */
  space: BanSpace,
  /** The item in front of the caller: listed first, and removed even if it is escalated. */
  item: HeldSubject.optional(),
}

/** Of one person: what is held, and what was published within so many minutes, null for all of it; without it, nothing that is published. */
export const PreviewRemoval = z.object({
  ...Removal,
  authorId: BanInput.shape.userId,
  withinMinutes: z
    .int()
    .min(1)
    .max(366 * 24 * 60)
    .nullable()
    .optional(),
})
export type PreviewRemoval = z.output<typeof PreviewRemoval>

/** How many would be removed; those that a colleague has claimed would not. */
export interface RemovalCounts {
  held: number
  comments: number
  posts: number
  messages: number
  claimed: number
}

export interface RemovedItem extends Omit<SeenItem, 'subjectType'> {
  subjectType: 'comment' | 'post' | 'message'
  isPublished: boolean
  writtenAt: string
  excerpt: string
  isFlagged: boolean
  /** The name of its community or channel; empty for a post on a person's own feed. */
  placeName: string
  /** Why it isn't removed. */
  error?: 'CLAIMED'
}

export interface RemovalPreview {
  /** When it was read. */
  at: string
  /** Since when what is published counts; absent for all of it. */
  since?: string
  counts: RemovalCounts
  /** The first of them, the item in front before the newest. */
  items: RemovedItem[]
  /** There are more than one ban removes: the newest are. */
  isCut: boolean
}

/** A ban, and what is removed with it. */
export const StartRemoval = z
  .object({
    ...Removal,
    bulkId: BulkId,
    ban: BanInput,
    /** `at` of the preview: what a colleague has decided since is left as it is. */
    at: z.iso.datetime(),
    isHeldIncluded: z.boolean(),
    /** `since` of the preview. */
    published: z.object({ since: z.iso.datetime().optional() }).optional(),
    /** What was left out of those that were listed. */
    except: z.array(Subject).max(BULK_LIMIT),
  })
  .refine(({ isHeldIncluded, published }) => isHeldIncluded || published !== undefined, 'must include something')
export type StartRemoval = z.output<typeof StartRemoval>

export const BulkInput = z.object({ bulkId: BulkId })
export type BulkInput = z.output<typeof BulkInput>

/** Progress. `waiting` counts the items still to do; items that couldn't be decided or undone carry a reason. */
export interface BulkProgress {
  bulkId: string
  outcome: HeldOutcome
  startedAt: string
  total: number
  waiting: number
  done: number
  undone: number
  /** The first 1,000. */
  refused: (SeenItem & { failure: string })[]
  /** Set if it bans or mutes: how far it is, in accounts, and why some aren't banned or muted or, after an undo, still are. */
  sanctions?: SanctionsProgress
  isFinished: boolean
  isUndone: boolean
  /** Until when the whole bulk action can be undone; set once it is finished. */
  undoUntil?: string
  /** The time left at the moment of the response, because clocks differ. */
  undoLeftMs?: number
}

/** `withoutModerator`: names of the spaces that the ban left without a moderator. */
export interface RemovalStarted extends BulkProgress, BanDone {}

export interface SanctionsProgress {
  sanction: SanctionKind
  scope: BanScope
  waiting: number
  done: number
  undone: number
  refused: { why: BulkSanctionFailure; count: number }[]
}

/** What undoing the latest decision undid: one item, by its author's name, or a bulk action. */
export type UndoneLatest = { item: Undone; authorName: string } | { bulk: BulkProgress }

/** Near-duplicates of an item that were held within a day of it, over all communities that the caller reviews. */
export interface WaveSummary {
  count: number
  /** There are more than `count`, which is as far as they are counted. */
  isMore: boolean
  /** More are held than one bulk action takes: there may be more accounts and communities, and a longer time. */
  isCut: boolean
  accounts: number
  communities: number
  firstHeldAt: string
  lastHeldAt: string
}
