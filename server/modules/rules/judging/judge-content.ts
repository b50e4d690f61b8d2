import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import type { Facts, Text } from '#server/modules/rules/conditions/facts.ts'
import { type FiredRule, judge } from '#server/modules/rules/conditions/judge.ts'
import { MediaType } from '#server/modules/rules/conditions/schema.ts'
import { pauseFailedRules } from '#server/modules/rules/judging/pause-failed-rules.ts'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { readRunningRules } from '#server/modules/rules/judging/running-rules.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'

/** Content that somebody is about to write, or to change. */
export interface NewContent {
  kind: RuleKind
  communityId: string | null
  /** The value of `runningRules` for its community. */
  rules: string | null
  authorId: string
  data: unknown
  /** The people it mentions. */
  mentions: number
  /** Types of what is attached; those that no condition names are ignored. */
  media: string[]
  /** When it was first written; absent: now. */
  writtenAt?: Date
}

/** What rules say of it; `live` is what they do, `shadow` what others would. */
export interface Judgement {
  live: FiredRule[]
  shadow: FiredRule[]
}

export const UNJUDGED: Judgement = { live: [], shadow: [] }

/** What the rules of a community and of the network say of new or changed content. Rules that fail are paused. Without rules, reads nothing. */
export async function judgeContent(ctx: Ctx, content: NewContent): Promise<Judgement> {
  const { kind, communityId, rules: name, authorId, writtenAt } = content
  if (communityId === null || name === null) return UNJUDGED

  const { compiled, live, failed } = await readRunningRules(ctx, communityId, name)
  const rules = compiled[kind]
  const [facts] = await readFacts(ctx, communityId, [{ authorId, at: writtenAt ?? ctx.now() }], rules.needed)
  const verdict = judge(rules, { ...itemOf(content), ...facts })
  await pauseFailedRules(ctx, [...failed, ...verdict.failed])
  return {
    live: verdict.fired.filter(({ ruleId }) => live.has(ruleId)),
    shadow: verdict.fired.filter(({ ruleId }) => !live.has(ruleId)),
  }
}

/** Stores which rules fired on the content, and where; of a rule that fired on it before, the newer match. */
export async function recordMatches(
  ctx: Ctx,
  { kind, subjectId }: { kind: RuleKind; subjectId: string },
  { live, shadow }: Judgement,
): Promise<void> {
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

/** For the log and the event of what the rules did: which, and in which version. */
export function rulesOf({ live }: Judgement): { rules?: { ruleId: string; version: number }[] } {
  return live.length === 0 ? {} : { rules: live.map(({ ruleId, version }) => ({ ruleId, version })) }
}

/** What rules judge of the content itself. */
export function itemOf({ data, mentions, media }: Pick<NewContent, 'data' | 'mentions' | 'media'>): Facts {
  return { texts: textsOf(data), mentions, media: [...new Set(media)].flatMap(toMediaType) }
}

function textsOf(data: unknown): Text[] {
  const parts = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  return (['title', 'text'] as const).flatMap((field) => {
    const text = parts[field]
    return typeof text === 'string' && text !== '' ? [{ field, text }] : []
  })
}

/** A clip is a short video. */
function toMediaType(type: string): MediaType[] {
  const known = MediaType.safeParse(type === 'clip' ? 'video' : type)
  return known.success ? [known.data] : []
}
