import { z } from 'zod'
import { ResourceId, visibleText } from '#server/core/text.ts'
import type { Signal } from '#server/modules/content/signals/schema.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import { type Outcome, Subject, type SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { TreatmentInForce } from '#server/modules/spaces/author-treatments/schema.ts'
import type { BanInForce, MuteInForce } from '#server/modules/spaces/sanctions/schema.ts'

export interface PastDecision extends Subject {
  decisionId: string
  outcome: Outcome
  reason?: string
  decidedAt: string
  decidedByName: string
  /** The first words of the item. */
  excerpt: string
  /** An approval that is still in force and that the caller may reverse. */
  isReversible: boolean
}

export interface HistoryEntry {
  what: 'written' | 'edited' | 'held' | 'reported' | 'escalated' | Outcome | 'reversed' | 'restored' | 'undone'
  at: string
  by?: string
  reason?: string
}

/** Another comment or a post shown for context. */
export interface Quoted {
  id: string
  authorName: string
  /** Its beginning, unless all of what is around the item was asked for. */
  text: string
  /** Set if the text goes on. */
  isCut?: boolean
  writtenAt: string
  approvalStatus?: 'pending' | 'approved' | 'rejected'
  isDeleted: boolean
}

/** Something a reported person wrote, and where. */
export interface RecentContent extends Quoted {
  subjectType: Exclude<SubjectType, 'user'>
  spaceName?: string
}

/** A report by one person or rule. `isCleared` if a moderator has handled it since. */
export interface ShownFlag {
  by: { userId: string; displayName: string }
  /** Set if a rule flagged it: its version. `by` is the rule, with its current name. */
  ruleVersion?: number
  reason: string
  detail?: string
  at: string
  isCleared: boolean
}

/** Everything needed to judge a held or reported item. */
export interface ReviewItem {
  item: QueueItem
  /** Its whole title and text: `item` has their beginnings. */
  title?: string | undefined
  text: string
  /** What it said when it was reported, if its author has edited it since. */
  asReported?: { title?: string; text: string }
  /** How many texts of before are kept, for `review.earlier`. */
  earlier: number
  /** The reviewer who changed its text last, if its author hasn't since. */
  editedBy?: string
  /** Whether the caller may change its text before they decide (`review.edit`). */
  mayEdit?: boolean
  /** Its attachments. */
  files: File[]
  /** The people it mentions: their ids and names. */
  mentioned: { userId: string; displayName: string }[]
  /** Set once it is no longer pending: who decided what. */
  decided?: Pick<PastDecision, 'outcome' | 'decidedByName' | 'decidedAt' | 'reason' | 'isReversible'> & {
    /** Set if rules rejected it: `decidedByName` has their names. */
    isByRules?: boolean
    /** Set for a rejection by rules that the caller may restore. */
    isRestorable?: boolean
  }
  /** Whether it is still pending. */
  isWaiting: boolean
  /** For held items: whether its community still holds new items of its type. */
  isHolding?: boolean | undefined
  /** Set while a rule that fired on it mutes its author: until when, the rule's name, and whether the caller may end it. */
  mute?: { endsAt: string; rule: string; mayEnd: boolean }
  /** For a comment: its parent, and its post. */
  parent?: Quoted
  post?: Quoted & { title?: string }
  /** Replies to a comment, or comments on a post: pending ones, and public ones. */
  replies: { held: number; visible: number }
  author: {
    userId: string
    displayName: string
    since: string
    isGlobalBan: boolean
    /** Active bans and mutes that the caller may see, widest first. */
    bans: BanInForce[]
    mutes?: MuteInForce[]
    /** What becomes of what they write, by the treatments in force that the caller may know of, widest first. */
    treatments: TreatmentInForce[]
    /** Notes by colleagues about them, newest first. */
    notes: Note[]
    communities: { communityId: string; displayName: string; isBanned: boolean; roles: string[] }[]
    /** Their other pending comments and posts, among those the caller reviews. */
    otherHeld: number
    /** Decisions on their content, among those the caller reviews; the latest 20, newest first. */
    decisions: { approved: number; rejected: number; latest: PastDecision[] }
  }
  history: HistoryEntry[]
  /** Who reported it and why; the latest 50, newest first. */
  flags: ShownFlag[]
  /** What classifiers say of it, the highest score first. */
  signals: Signal[]
  /** For a message: the messages just before and after it, if the caller may read them. */
  around?: { before: Quoted[]; after: Quoted[] }
  /** For a reported person: their latest content, newest first, among what the caller reviews. */
  recent?: RecentContent[]
  /** Earlier decisions on the same text, in any space, newest first, among those the caller reviews. */
  sameWords: SameWords[]
}

/** What an item said until its author changed it. */
export interface EarlierText {
  title?: string
  text: string
  until: string
}

/** The thread around an item: its parents, up to the post, and its nearest neighbours. */
export interface Thread {
  post?: Quoted & { title?: string }
  /** From the first comment to the item's parent. */
  parents: Quoted[]
  /** The item itself, if it is a comment. */
  item?: Quoted
  /** Siblings: the nearest before and after it, in the order written. */
  before: Quoted[]
  after: Quoted[]
  /** Its first replies, or the first comments on the post. */
  replies: Quoted[]
  /** Whether there is more than these. */
  hasMore: { before: boolean; after: boolean; replies: boolean }
}

export interface SameWords extends Subject {
  outcome: Outcome
  reason?: string
  decidedAt: string
  decidedByName: string
  community: { communityId: string; displayName: string }
}

/** The thread around an item: only the beginnings of texts; with `areQuotesWhole`, all of them. */
export const ThreadInput = Subject.extend({ areQuotesWhole: z.boolean().optional() })

/** An item as it is held, or by its report if it has one; with `isEscalated` or `isMine`, whichever of these was escalated or claimed. */
export const ItemInput = ThreadInput.extend({
  isReported: z.boolean().optional(),
  isEscalated: z.boolean().optional(),
  isMine: z.boolean().optional(),
})
export type ItemInput = z.output<typeof ItemInput>

/** Why the caller opens a conversation; kept in the log. */
export const OpenConversationInput = z.object({
  messageId: ResourceId,
  reason: visibleText({ max: 250 }),
})
export type OpenConversationInput = z.output<typeof OpenConversationInput>
