import { setImmediate } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import { type FiredRule, judge, type Verdict } from '#server/modules/rules/conditions/judge.ts'
import { MediaType } from '#server/modules/rules/conditions/schema.ts'
import { textsOf } from '#server/modules/rules/judging/judged-texts.ts'
import { pauseFailedRules } from '#server/modules/rules/judging/pause-failed-rules.ts'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { readRunningRules } from '#server/modules/rules/judging/running-rules.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'

/** What rules judge. */
interface Content {
  authorId: string
  data: unknown
  /** The people it mentions. */
  mentions: number
  /** Types of what is attached; those that no condition names are ignored. */
  media: string[]
  /** Absent for new content. */
  subjectId?: string
  /** When it was first written; absent: now. */
  writtenAt?: Date
  /** When it came to say what it says; absent: now. */
  textAt?: Date
  /** The newest score of each signal, from 0 to 1, that was measured on this content. */
  signals?: Readonly<Record<string, number>> | null
}

/** Where content of one kind is, and which rules judge it there. */
interface Place {
  kind: RuleKind
  communityId: string | null
  /** The channel of a message. */
  channelId?: string
  /** The value of `runningRules` for its community, or of `runningMessageRules` for its channel. */
  rules: string | null
}

/** Content that somebody is about to write, or to change. */
export type NewContent = Place & Content

/** A live rule that fired, and for how many minutes it mutes the author. */
export type MutingRule = FiredRule & { muteMinutes: number }

/** The rules that fired on it: live ones by what they do, and those in shadow. */
export interface Judgement {
  rejecting: FiredRule[]
  holding: FiredRule[]
  flagging: FiredRule[]
  highlighting: FiredRule[]
  shadow: FiredRule[]
  /** Those of them that mute its author. */
  muting: MutingRule[]
  /** The treatment of its author by which all that they write is held. */
  heldByTreatment?: string
}

/** How many contents are judged before other work of the process gets a turn. */
const CONTENTS_A_TURN = 10

export const UNJUDGED: Judgement = {
  rejecting: [],
  holding: [],
  flagging: [],
  highlighting: [],
  shadow: [],
  muting: [],
}

/** What the rules of a community and of the network say of new or changed content. Rules that fail are paused. Without rules, reads nothing. */
export async function judgeContent(ctx: Ctx, content: NewContent): Promise<Judgement> {
  const [judgement = UNJUDGED] = await judgeAll(ctx, content, [content], 'compiled')
  return judgement
}

/** What those rules that ask for signals say of contents of one place whose signals have changed, in their order. */
export function judgeOnSignals(ctx: Ctx, place: Place, contents: Content[]): Promise<Judgement[]> {
  return judgeAll(ctx, place, contents, 'onSignals')
}

/** What all rules say of contents of one place that are under review already, in their order. */
export function judgeWaiting(ctx: Ctx, place: Place, contents: Content[]): Promise<Judgement[]> {
  return judgeAll(ctx, place, contents, 'compiled')
}

async function judgeAll(
  ctx: Ctx,
  { kind, communityId, channelId, rules: name }: Place,
  contents: Content[],
  by: 'compiled' | 'onSignals',
): Promise<Judgement[]> {
  if (name === null) return contents.map(() => UNJUDGED)

  const { [by]: compiled, live, muteMinutes, failed } = await readRunningRules(ctx, { kind, communityId }, name)
  const now = ctx.now()
  const writings = contents.map(({ authorId, subjectId, writtenAt = now, textAt = now, ...content }) => {
    return { authorId, subjectId, at: writtenAt, textAt, item: itemOf(content) }
  })
  const facts = await readFacts(ctx, { communityId, channelId }, writings, compiled[kind].needed)
  const verdicts: Verdict[] = []
  for (const [index, { item }] of writings.entries()) {
    if (index > 0 && index % CONTENTS_A_TURN === 0) await setImmediate()
    const signals = contents[index]?.signals ?? {}
    verdicts.push(judge(compiled[kind], { ...item, ...facts[index], signals }))
  }
  await pauseFailedRules(ctx, [...failed, ...verdicts.flatMap((verdict) => verdict.failed)])
  return verdicts.map(({ fired }) => ({
    rejecting: fired.filter(({ ruleId }) => live.reject.has(ruleId)),
    holding: fired.filter(({ ruleId }) => live.hold.has(ruleId)),
    flagging: fired.filter(({ ruleId }) => live.flag.has(ruleId)),
    highlighting: fired.filter(({ ruleId }) => live.highlight.has(ruleId)),
    shadow: fired.filter(({ ruleId }) => !Object.values(live).some((rules) => rules.has(ruleId))),
    muting: fired.flatMap((rule) => {
      const minutes = muteMinutes.get(rule.ruleId)
      return minutes === undefined ? [] : [{ ...rule, muteMinutes: minutes }]
    }),
  }))
}

/** Stores which rules fired on the content, and where; of a rule that fired on it before, the newer match. Also the treatment that holds it. */
export async function recordMatches(
  ctx: Ctx,
  { kind, subjectId }: { kind: RuleKind; subjectId: string },
  { rejecting, holding, flagging, highlighting, shadow, heldByTreatment }: Judgement,
): Promise<void> {
  if (heldByTreatment !== undefined) {
    await execute(
      ctx,
      sql`
      insert into author_treatment_hold (subject_type, subject_id, treatment_id) values (${kind}::subject_type, ${subjectId}, ${heldByTreatment}::bigint)
      on conflict (subject_type, subject_id) do update set treatment_id = excluded.treatment_id`,
    )
  }
  const live = [...rejecting, ...holding, ...flagging, ...highlighting]
  const matches = [...live, ...shadow].map((fired) => ({ ...fired, isLive: live.includes(fired) }))
  if (matches.length === 0) return
  await execute(
    ctx,
    sql`
    insert into rule_match (rule_id, version, is_live, subject_type, subject_id, found, created_at)
    select fired."ruleId", fired.version, fired."isLive", ${kind}::subject_type, ${subjectId}, fired.found, ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) as fired("ruleId" text, version int, "isLive" boolean, found jsonb)
    on conflict (subject_type, subject_id, rule_id) do update set version = excluded.version, is_live = excluded.is_live,
      found = excluded.found, created_at = excluded.created_at`,
  )
}

/** For the log and the event of a hold: the rules, and the author's treatment, that hold content. */
export function holdersOf({ holding, heldByTreatment }: Judgement) {
  return { ...rulesOf(holding), ...(heldByTreatment !== undefined && { treatmentId: heldByTreatment }) }
}

/** Whether rules or the author's treatment hold content. */
export function isHeldBy({ holding, heldByTreatment }: Judgement): boolean {
  return holding.length > 0 || heldByTreatment !== undefined
}

/** For the log and the event of what rules did: which ones, and in which version. */
export function rulesOf(fired: FiredRule[]): { rules?: { ruleId: string; version: number }[] } {
  return fired.length === 0 ? {} : { rules: fired.map(({ ruleId, version }) => ({ ruleId, version })) }
}

/** What rules judge of the content itself. */
export function itemOf({ data, mentions, media }: Pick<NewContent, 'data' | 'mentions' | 'media'>): Facts {
  return { texts: textsOf(data), mentions, media: [...new Set(media)].flatMap(toMediaType) }
}

/** A clip is a short video. */
function toMediaType(type: string): MediaType[] {
  const known = MediaType.safeParse(type === 'clip' ? 'video' : type)
  return known.success ? [known.data] : []
}
