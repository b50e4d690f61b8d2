import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { Comment, NewMentionees } from '#server/modules/content/comments/schema.ts'
import { type Flaggable, flagByRules, type Placed } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { admit, type Place } from '#server/modules/content/writing/place.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'
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
  /** Also counts it. */
  insert(ctx: Ctx, writing: Writing<Input, Where>): Promise<Written>
  /** What the log says of it. */
  stateOf(fate: Fate): Record<string, unknown> | undefined
  /** Its answer, and what everyone sees of it: absent where that is read for the event alone. */
  read(
    ctx: Ctx,
    written: Written,
    writing: Writing<Input, Where>,
  ): Promise<{ answer: Answer; payload?: object | undefined }>
  eventName(written: Written): EventName
  /** Publishes that it is held or rejected. */
  publishHidden(ctx: Ctx, written: Written, writing: Writing<Input, Where>, payload?: object): Promise<void>
}

/**
 * Admit → judge → insert → read → log and publish → answer. Held for review where the community or a live rule requires that and the caller may not
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
    const { answer, payload } = await kind.read(ctx, written, writing)
    await recordWriting(ctx, kind, written, { ...writing, payload })
    if (fate !== 'public') await kind.publishHidden(ctx, written, writing, payload)
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

/** Logs it and publishes what is public, in one statement. */
async function recordWriting<Input extends NewText, Written extends { subjectId: string }>(
  ctx: Ctx,
  { type, stateOf, eventName }: WrittenKind<Input, Place, Written, unknown>,
  written: Written,
  { place, judgement, fate, payload = {} }: Writing<Input, Place> & { payload?: object | undefined },
): Promise<void> {
  const { communityId, channelId } = place
  const isHeld = fate === 'held'
  const state = stateOf(fate)
  const subject = { subjectType: type, subjectId: written.subjectId }
  const act = {
    ...subject,
    action: `${type}.${isHeld ? 'held' : 'created'}`,
    ...(channelId === undefined ? { communityId } : { channelId }),
    ...(state && { after: { ...state, ...(isHeld && rulesOf(judgement.holding)) } }),
  }
  const event = {
    ...subject,
    name: eventName(written),
    communityId: channelId === undefined ? communityId : null,
    payload: { ...payload },
  }
  const published = fate === 'public' ? sql`, ${eventTables(ctx, [event])}` : sql.empty
  await execute(ctx, sql`with ${auditTables(ctx, [act])}${published} select from act`)
}
