import { z } from 'zod'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { ResourceId, text, visibleText } from '#server/core/text.ts'
import { APPEAL_LENGTH } from '#server/modules/network/policies/schema.ts'
import { MEASURES, Statement, StatementLink } from '#server/modules/network/statements/schema.ts'

/** What the recipient says against a statement of reasons: 1 to 2,000 characters, not blank. */
const Words = visibleText({ min: 1, max: APPEAL_LENGTH })

/** By the recipient, signed in: their own statement. */
export const AppealInput = z.object({ statementId: ResourceId, words: Words })
export type AppealInput = z.output<typeof AppealInput>

/** By the link to the statement. */
export const LinkedAppealInput = StatementLink.extend({ words: Words })
export type LinkedAppealInput = z.output<typeof LinkedAppealInput>

/** `kept`: the measure stays. `reversed`: it ends, and what it changed is restored. */
const AppealOutcome = z.enum(['kept', 'reversed'])
export type AppealOutcome = z.output<typeof AppealOutcome>

export const AppealParams = z.object({ appealId: ResourceId })
export type AppealParams = z.output<typeof AppealParams>

/** With the answer to the person, 1 to 2,000 characters, not blank. */
export const AppealDecision = z.object({ outcome: AppealOutcome, answer: Words })
export const DecideAppealInput = AppealParams.extend(AppealDecision.shape)
export type DecideAppealInput = z.output<typeof DecideAppealInput>

/** Those to decide, the oldest first, or those decided, the latest first; 1 to 100 of them, 20 if nothing is said. */
export const AppealsQuery = z.object({
  state: z.enum(['waiting', 'decided']).default('waiting'),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
  token: text({ max: TOKEN_LENGTH }).optional(),
})
export type AppealsQuery = z.output<typeof AppealsQuery>

/** The same for the desk, whose pages name their token `cursor`. */
export const AppealsInput = AppealsQuery.omit({ token: true }).extend({ cursor: AppealsQuery.shape.token })

const Person = z.object({ userId: z.string(), displayName: z.string() })

/** An appeal, for those who decide on it. Times are ISO 8601, UTC. */
export const Appeal = z
  .object({
    appealId: z.string(),
    statement: Statement.omit({ appeal: true, appealUntil: true }),
    author: Person,
    /** Absent once they are erased. */
    words: z.string().optional(),
    state: z.enum(['waiting', ...AppealOutcome.options]),
    createdAt: z.string(),
    /** When it should be decided. */
    dueAt: z.string(),
    /**
     * Whether the caller may decide on it: `no` for who made the first decision while somebody else could decide on the appeal; `alone` if nobody else could, which
     * the log then says.
     */
    mayDecide: z.enum(['yes', 'alone', 'no']),
    /** Once it is decided: who made the first decision. Nobody for rules. */
    firstDecidedBy: z.string().optional(),
    decidedBy: z.string().optional(),
    decidedAt: z.string().optional(),
    answer: z.string().optional(),
  })
  .meta({ id: 'Appeal' })
export type Appeal = z.output<typeof Appeal>

export const Appeals = z.object({
  appeals: z.array(Appeal),
  paging: z.object({ next: z.string().optional(), previous: z.string().optional() }),
})
export type Appeals = z.output<typeof Appeals>

/** Exact up to 100, which stands for more. */
export interface AppealsCount {
  count: number
}

/** What became of it. `isRestored`: whether something was still there to restore, such as a comment or a ban in force. */
export const DecidedAppeal = z
  .object({ appealId: z.string(), state: AppealOutcome, isRestored: z.boolean() })
  .meta({ id: 'DecidedAppeal' })
export type DecidedAppeal = z.output<typeof DecidedAppeal>

/** What endpoints that name `appeal.didCreate` or `appeal.didResolve` receive: ids and states alone. */
export const AppealTold = z
  .object({
    appealId: z.string(),
    statementId: z.string(),
    userId: z.string(),
    measure: z.enum(MEASURES),
    state: z.enum(['waiting', ...AppealOutcome.options]),
    communityId: z.string().optional(),
    channelId: z.string().optional(),
  })
  .meta({ id: 'AppealTold' })
