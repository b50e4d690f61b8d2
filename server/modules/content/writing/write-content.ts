import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Flaggable, flagByRules, type Placed } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { countMentioned, readMentioned } from '#server/modules/content/mentions/read-mentioned.ts'
import type { Mentionee, NewMentionees } from '#server/modules/content/mentions/schema.ts'
import { admit, type Space } from '#server/modules/content/writing/space.ts'
import { auditTables, recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import {
  holdersOf,
  isHeldBy,
  type Judgement,
  judgeContent,
  recordMatches,
  UNJUDGED,
} from '#server/modules/rules/judging/judge-content.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'
import { withTreatment } from '#server/modules/rules/judging/with-treatment.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'

interface NewText {
  data?: Record<string, unknown> | undefined
  mentionees?: NewMentionees | undefined
}

/** What becomes of new content. */
type Fate = 'public' | 'held' | 'rejected'

/** Content that is admitted and judged. */
export interface Writing<Input, Where> {
  input: Input
  space: Where
  authorId: string
  mentionees: Mentionee[]
  judgement: Judgement
  fate: Fate
}

interface Written<Answer> {
  subjectId: string
  /** Where the insert has read it already. */
  answer?: Answer
}

/** How one kind of content is written: all that differs. */
export interface WrittenKind<Input extends NewText, Where extends Space, Answer> {
  type: RuleKind
  flaggable: Flaggable<Placed, Answer>
  /** Finds where it is written; undefined for what the caller may not see. */
  findSpace(ctx: Ctx, input: Input): Promise<Where | undefined>
  /** Fails for what `admit` doesn't check. */
  assertFits?(input: Input, space: Where): void
  /** What the word lists check. */
  textsOf(input: Input): unknown[]
  mediaOf(input: Input): string[]
  /** Inserts it, and counts it. */
  insert(ctx: Ctx, writing: Writing<Input, Where>): Promise<Written<Answer>>
  /** Its state, as the log has it. */
  stateOf(fate: Fate): Record<string, unknown> | undefined
  read(ctx: Ctx, id: string): Promise<Answer>
  eventName(space: Where): EventName
  /** What everyone sees of it, where that isn't all of the answer. */
  payloadOf?(ctx: Ctx, answer: Answer): Promise<object>
  /** Publishes that it is held or rejected. */
  publishHidden(ctx: Ctx, id: string, writing: Writing<Input, Where>, answer: Answer): Promise<void>
}

/**
 * Admit → judge → insert → apply rules → read → log and publish → answer. Held for review where the author's treatment says so, and where the community
 * or a live rule requires it and the caller neither reviews there nor is trusted: then only its author and reviewers see it, like what a live rule
 * rejects. Fails with NOT_FOUND for a space the caller may not see, as `admit` does, and with BLOCKED_WORD and LINK_NOT_ALLOWED for text that the lists
 * reject.
 */
export function writeContent<Input extends NewText, Where extends Space, Answer extends object>(
  ctx: Ctx,
  kind: WrittenKind<Input, Where, Answer>,
  input: Input,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const space = await kind.findSpace(ctx, input)
    if (space === undefined) throw new DomainError('NOT_FOUND')
    const authorId = admit(ctx, space)
    kind.assertFits?.(input, space)
    await assertTextAllowed(ctx, kind.textsOf(input))

    const mentionees = await readMentioned(ctx, input.mentionees ?? [])
    const judgement = await judgeNew(ctx, kind, { input, space, authorId, mentionees })
    const fate = fateOf(space, judgement)
    const writing = { input, space, authorId, mentionees, judgement, fate }
    const { subjectId: id, ...written } = await kind.insert(ctx, writing)
    await applyRules(ctx, { ...writing, kind: kind.type, subjectId: id })

    const answer = written.answer ?? (await kind.read(ctx, id))
    await recordWriting(ctx, kind, id, { writing, answer })
    if (fate !== 'public') await kind.publishHidden(ctx, id, writing, answer)
    if (fate !== 'public' || judgement.flagging.length === 0) return answer
    await flagByRules(ctx, kind.flaggable, { id, rules: judgement.flagging })
    return kind.flaggable.answer(ctx, [id])
  })
}

/**
 * Rules don't judge what a reviewer of the community writes, nor what those write in a channel who may delete messages there. A treatment to hold counts for
 * all.
 */
async function judgeNew<Input extends NewText>(
  ctx: Ctx,
  { type, mediaOf }: Pick<WrittenKind<Input, Space, unknown>, 'type' | 'mediaOf'>,
  { input, space, authorId, mentionees }: Omit<Writing<Input, Space>, 'judgement' | 'fate'>,
): Promise<Judgement> {
  if (space.mayReview) return withTreatment(UNJUDGED, space.treatment)
  const written = { data: input.data, mentions: countMentioned(mentionees), media: mediaOf(input) }
  return withTreatment(await judgeContent(ctx, { ...space, ...written, kind: type, authorId }), space.treatment)
}

/** Rejected if any rule rejects it (docs/decisions/0291-trusted-authors-and-authors-on-hold.md). */
function fateOf({ isReviewed, mayReview, treatment }: Space, judgement: Judgement): Fate {
  if (judgement.rejecting.length > 0) return 'rejected'
  if (isHeldBy(judgement)) return 'held'
  return isReviewed && !mayReview && treatment?.kind !== 'trust' ? 'held' : 'public'
}

type Judged = Omit<Writing<unknown, Space>, 'input'> & { kind: RuleKind; subjectId: string }

async function applyRules(ctx: Ctx, { kind, subjectId, space, authorId, judgement, fate }: Judged): Promise<void> {
  await recordMatches(ctx, { kind, subjectId }, judgement)
  if (fate !== 'public') await putItems(ctx, kind, [subjectId])
  await muteAuthor(ctx, { kind, subjectId, communityId: space.communityId, authorId }, judgement)
}

/** The trust that it is public by, if its author is trusted. */
function trustOf({ treatment }: Space): { treatmentId?: string } {
  return treatment?.kind === 'trust' ? { treatmentId: treatment.treatmentId } : {}
}

/** Logs it and publishes what is public, in one statement. */
async function recordWriting<Input extends NewText, Where extends Space, Answer extends object>(
  ctx: Ctx,
  kind: WrittenKind<Input, Where, Answer>,
  subjectId: string,
  { writing: { space, judgement, fate }, answer }: { writing: Writing<Input, Where>; answer: Answer },
): Promise<void> {
  const { type } = kind
  const subject = { subjectType: type, subjectId }
  const scope = space.channelId === undefined ? { communityId: space.communityId } : { channelId: space.channelId }
  const isHeld = fate === 'held'
  const state = kind.stateOf(fate)
  const act = {
    ...subject,
    ...scope,
    action: `${type}.${isHeld ? 'held' : 'created'}`,
    ...(state && { after: { ...state, ...(isHeld ? holdersOf(judgement) : trustOf(space)) } }),
  }
  if (fate !== 'public') return recordAudit(ctx, act)
  const payload = { ...((await kind.payloadOf?.(ctx, answer)) ?? answer) }
  const event = { ...subject, communityId: scope.communityId ?? null, name: kind.eventName(space), payload }
  await execute(ctx, sql`with ${auditTables(ctx, [act])}, ${eventTables(ctx, [event])} select from act`)
}
