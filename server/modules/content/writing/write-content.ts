import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { Comment, NewMentionees } from '#server/modules/content/comments/schema.ts'
import { type Flaggable, flagByRules, type Placed } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { admit, type Place } from '#server/modules/content/writing/place.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import {
  type Judgement,
  judgeContent,
  recordMatches,
  rulesOf,
  UNJUDGED,
} from '#server/modules/rules/judging/judge-content.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'

interface NewText {
  data?: Record<string, unknown> | undefined
  mentionees?: NewMentionees | undefined
}

/** What becomes of new content. */
export type Fate = 'public' | 'held' | 'rejected'

/** Content that is admitted and judged. */
export interface Writing<Input, Where> {
  input: Input
  place: Where
  authorId: string
  mentionees: Comment['mentionees']
  judgement: Judgement
  fate: Fate
}

/** How one kind of content is written: all that differs. */
export interface WrittenKind<
  Input extends NewText,
  Where extends Place,
  Written extends { subjectId: string },
  Answer,
> {
  type: RuleKind
  flaggable: Flaggable<Placed, Answer>
  /** Undefined for what the caller may not see. */
  findPlace(ctx: Ctx, input: Input): Promise<Where | undefined>
  /** Beyond what `admit` checks. */
  assertFits?(input: Input, place: Where): void
  /** What the word lists check. */
  textsOf(input: Input): unknown[]
  mediaOf(input: Input): string[]
  insert(ctx: Ctx, writing: Writing<Input, Where>): Promise<Written>
  /** Counts it where it can be seen. */
  count(ctx: Ctx, written: Written, writing: Writing<Input, Where>): Promise<void>
  /** What the log says of it. */
  stateOf(fate: Fate): Record<string, unknown> | undefined
  /** Publishes that it was written, or rejected; returns its answer. */
  publish(ctx: Ctx, written: Written, writing: Writing<Input, Where>): Promise<Answer>
}

/**
 * Admit → judge → insert → hold or publish → log → answer. Held for review where the community or a live rule requires that and the caller may not
 * review there: then only its author and reviewers see it, like what a live rule rejects. Fails with NOT_FOUND for a place the caller may not see, as
 * `admit` does, and with BLOCKED_WORD and LINK_NOT_ALLOWED for text that the lists reject.
 */
export function writeContent<Input extends NewText, Where extends Place, Written extends { subjectId: string }, Answer>(
  ctx: Ctx,
  kind: WrittenKind<Input, Where, Written, Answer>,
  input: Input,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const place = await kind.findPlace(ctx, input)
    if (place === undefined) throw new DomainError('NOT_FOUND')
    const authorId = admit(ctx, place)
    kind.assertFits?.(input, place)
    await assertTextAllowed(ctx, kind.textsOf(input))

    const mentionees = await readMentioned(ctx, input.mentionees ?? [])
    const judgement = await judgeNew(ctx, kind, { input, place, authorId, mentionees })
    const fate = fateOf(place, judgement)
    const writing = { input, place, authorId, mentionees, judgement, fate }
    const written = await kind.insert(ctx, writing)
    await applyRules(ctx, kind, written, writing)
    await kind.count(ctx, written, writing)
    await recordWriting(ctx, kind, written, writing)
    const answer = await kind.publish(ctx, written, writing)
    if (fate !== 'public' || judgement.flagging.length === 0) return answer
    const { subjectId: id } = written
    await flagByRules(ctx, kind.flaggable, { id, rules: judgement.flagging })
    return kind.flaggable.answer(ctx, [id])
  })
}

type Kind<Input extends NewText> = WrittenKind<Input, Place, { subjectId: string }, unknown>

/** Rules don't judge what a reviewer of the community writes, nor what those write in a channel who may delete messages there. */
async function judgeNew<Input extends NewText>(
  ctx: Ctx,
  kind: Kind<Input>,
  { input, place, authorId, mentionees }: Omit<Writing<Input, Place>, 'judgement' | 'fate'>,
): Promise<Judgement> {
  if (place.mayReview) return UNJUDGED
  return judgeContent(ctx, {
    ...place,
    kind: kind.type,
    authorId,
    data: input.data,
    mentions: countMentioned(mentionees),
    media: kind.mediaOf(input),
  })
}

/** Rejected if any rule rejects it. */
function fateOf({ isReviewed, mayReview }: Place, { rejecting, holding }: Judgement): Fate {
  if (mayReview) return 'public'
  if (rejecting.length > 0) return 'rejected'
  return isReviewed || holding.length > 0 ? 'held' : 'public'
}

async function applyRules<Input extends NewText>(
  ctx: Ctx,
  { type }: Kind<Input>,
  { subjectId }: { subjectId: string },
  { place, authorId, judgement, fate }: Writing<Input, Place>,
): Promise<void> {
  const subject = { kind: type, subjectId }
  await recordMatches(ctx, subject, judgement)
  if (fate !== 'public') await putItems(ctx, type, [subjectId])
  await muteAuthor(ctx, { ...subject, communityId: place.communityId, authorId }, judgement)
}

function recordWriting<Input extends NewText>(
  ctx: Ctx,
  { type, stateOf }: Kind<Input>,
  { subjectId }: { subjectId: string },
  { place: { communityId, channelId }, judgement, fate }: Writing<Input, Place>,
): Promise<void> {
  const isHeld = fate === 'held'
  const state = stateOf(fate)
  return recordAudit(ctx, {
    action: `${type}.${isHeld ? 'held' : 'created'}`,
    subjectType: type,
    subjectId,
    ...(channelId === undefined ? { communityId } : { channelId }),
    ...(state && { after: { ...state, ...(isHeld && rulesOf(judgement.holding)) } }),
  })
}
