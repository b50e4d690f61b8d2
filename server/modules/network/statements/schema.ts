import { z } from 'zod'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { ResourceId, text } from '#server/core/text.ts'
import { UserId } from '#server/core/wire/schema.ts'
import { POLICY_GROUNDS, POLICY_LANGUAGES, PolicyText } from '#server/modules/network/policies/schema.ts'

/**
 * What was done: content was rejected (never or no longer published), or deleted, which was public; a person was banned, muted or warned.
 */
export const MEASURES = ['rejected', 'deleted', 'banned', 'muted', 'warned'] as const
export type Measure = (typeof MEASURES)[number]

/** How it came up: rules found it, or people reported it. Neither: a moderator came across it. */
const FOUND_BY = ['rule', 'report'] as const

/** What endpoints that name `statement.didCreate` receive: ids alone. GET /api/v1/statements/{statementId} has the rest. */
export const StatementTold = z
  .object({
    statementId: z.string(),
    userId: z.string(),
    measure: z.enum(MEASURES),
    communityId: z.string().optional(),
    channelId: z.string().optional(),
    subjectType: z.enum(['comment', 'post', 'message', 'user']).optional(),
    subjectId: z.string().optional(),
  })
  .meta({ id: 'StatementTold' })

export const StatementParams = z.object({ statementId: ResourceId })
export type StatementParams = z.output<typeof StatementParams>

/** Whose statements; 1 to 100 of them, 20 if nothing is said. `token` is the `next` or `previous` of another page. */
export const StatementsQuery = z.object({
  userId: UserId,
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
  token: text({ max: TOKEN_LENGTH }).optional(),
})
export type StatementsQuery = z.output<typeof StatementsQuery>

/** The same for the desk, whose pages name their token `cursor`. */
export const StatementsInput = StatementsQuery.omit({ token: true }).extend({ cursor: StatementsQuery.shape.token })

/**
 * A statement of reasons, for the person whom a measure restricts: it names nobody else. Times are ISO 8601, UTC. `state` is `inForce`, `ended` (the ban or
 * mute is over or was lifted), or `reversed` (the content is public
 * again, or an appeal was right).
 */
export const Statement = z
  .object({
    statementId: z.string(),
    userId: z.string(),
    measure: z.enum(MEASURES),
    /**
     * What it is about; a mute by a rule has it, too. With what it said, as far as that is still stored: for its author, and of comments and posts for those who
     * review them.
     */
    content: z
      .object({
        type: z.enum(['comment', 'post', 'message', 'user']),
        id: z.string(),
        title: z.string().optional(),
        text: z.string().optional(),
        writtenAt: z.string().optional(),
      })
      .optional(),
    space: z.discriminatedUnion('scope', [
      z.object({ scope: z.literal('network') }),
      z.object({ scope: z.literal('community'), communityId: z.string(), displayName: z.string() }),
      z.object({ scope: z.literal('channel'), channelId: z.string(), displayName: z.string() }),
    ]),
    /** The rule that was broken, as it was in force then, by language. */
    policy: z
      .object({
        policyId: z.string(),
        version: z.int(),
        texts: z.partialRecord(z.enum(POLICY_LANGUAGES), PolicyText),
        ground: z.enum(POLICY_GROUNDS),
        legalReference: z.string().optional(),
        url: z.string().optional(),
      })
      .optional(),
    /** The text to authors of the rejection reason that was chosen. */
    explanation: z.string().optional(),
    /** Of a warning: what its maker wrote to the person. */
    words: z.string().optional(),
    foundBy: z.array(z.enum(FOUND_BY)),
    /** Whether rules did it, and no person. */
    isAutomated: z.boolean(),
    state: z.enum(['inForce', 'ended', 'reversed']),
    /** Of a ban or mute that ends by itself. */
    until: z.string().optional(),
    issuedAt: z.string(),
    /** Until when its recipient can appeal; absent once they have, or it is reversed. */
    appealUntil: z.string().optional(),
    /** Their appeal, and its answer once another person has decided. The words for those who may see the text. */
    appeal: z
      .object({
        appealId: z.string(),
        state: z.enum(['waiting', 'kept', 'reversed']),
        words: z.string().optional(),
        createdAt: z.string(),
        answer: z.string().optional(),
        decidedAt: z.string().optional(),
      })
      .optional(),
    /**
     * The page where its recipient reads it, without an account, for 180 days: everybody who has the address can read it. Absent
     * for those who may not see the text that is on it.
     */
    url: z.string().optional(),
  })
  .meta({ id: 'Statement' })
export type Statement = z.output<typeof Statement>

export const Statements = z.object({
  statements: z.array(Statement),
  paging: z.object({ next: z.string().optional(), previous: z.string().optional() }),
})
export type Statements = z.output<typeof Statements>

/** A statement as the page of its link shows it. */
export type LinkedStatement = Omit<Statement, 'userId' | 'url'>

export const StatementLink = z.object({ token: text({ max: 100 }) })
export type StatementLink = z.output<typeof StatementLink>
