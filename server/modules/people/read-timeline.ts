import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { writtenBy } from '#server/modules/people/list-content.ts'
import { FLAGGED, flagsOn, knowsFlag } from '#server/modules/people/list-flags.ts'
import { knowsBan, knowsMute } from '#server/modules/people/list-sanctions.ts'
import { ContentType, type Timeline, type TimelineEntry, type TimelineInput } from '#server/modules/people/schema.ts'
import { assertMayLookUp, knowsCommunity } from '#server/modules/people/scope.ts'
import { type NamedRow, namedAs } from '#server/modules/people/view.ts'
import { mayKnowTreatment } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

/** How many of what a person wrote one page reads of each kind, and how many of the acts of each source. */
const WRITTEN_READ = 200
const ACTS_READ = 30

/**
 * What happened around a person, by their public id, latest first: each list of the page limits it as it limits its own entries. One statement reads
 * the newest rows of each source, in the order of its index; the page ends where the first source that has more ends. What repeats on a day in the same
 * place is one entry. Uses comment_of_author, post_of_author, message_of_author, decision_author_id_decided_at_idx, ban_user_id_created_at_idx,
 * mute_user_id_created_at_idx, author_treatment_user_id_created_at_idx and, for flags, what `listFlagsOn` does. Fails as `findPeople` does.
 */
export async function readTimeline(ctx: Ctx, { userId, before, timeZone }: TimelineInput): Promise<Timeline> {
  await assertMayLookUp(ctx)
  const until = before === undefined ? ctx.now() : new Date(before)
  const rows = await query<TimelineRow>(ctx, selectTimeline(ctx, userId, until))
  const { shown, next } = cutWhereOneEnds(rows)
  return { entries: fold(shown, timeZone), ...present({ before: next && timestampOf(next) }) }
}

interface TimelineRow {
  source: string
  act: TimelineEntry['act']
  at: Date
  subjectType: NonNullable<TimelineEntry['subjectType']> | null
  scope: BanSpace['scope'] | null
  spaceId: string | null
  spaceName: string | null
  by: NamedRow
  reason: string | null
  endsAt: Date | null
}

/** Rows of one source. Columns that it lacks are null. */
interface Source {
  name: string
  /** Selects `act`, `at`, `subject_type`, `community_id`, `channel_id`, `is_everywhere`, `actor_id`, `actor_name`, `reason` and `ends_at`. */
  select: Sql
  limit: number
}

function selectTimeline(ctx: Ctx, userId: string, until: Date): Sql {
  const parts = sourcesOf(ctx, userId).map(
    ({ name, select, limit }) => sql`(
      select ${sql.raw(`'${name}'`)} as source, x.* from (${select}) x where x.at <= ${until} order by x.at desc ${sql.raw(`limit ${limit}`)})`,
  )
  return sql`
    select x.source, x.act, x.at, x.subject_type,
      case when x.channel_id is not null then 'channel' when x.community_id is not null then 'community' when x.is_everywhere then 'network' end as scope,
      coalesce(x.channel_id, x.community_id) as space_id, coalesce(nullif(h.display_name, ''), nullif(k.display_name, '')) as space_name,
      case when x.actor_name is null then ${namedAs(sql`x.actor_id`, sql`actor`)}
        else jsonb_strip_nulls(jsonb_build_object('userId', x.actor_id, 'displayName', x.actor_name)) end as by,
      x.reason, x.ends_at
    from (${sql.join(parts, ' union all ')}) x
    left join channel h on h.channel_id = x.channel_id left join community k on k.community_id = x.community_id
    left join network_user actor on actor.user_id = x.actor_id
    order by x.at desc`
}

function sourcesOf(ctx: Ctx, userId: string): Source[] {
  const written = ContentType.options.map((type) => ({
    name: type,
    select: sql`
      select 'wrote' as act, i.created_at as at, i.subject_type, i.community_id, i.channel_id, ${NOTHING_MORE}
      from (${writtenBy(ctx, type, { userId })}) i`,
    limit: WRITTEN_READ,
  }))
  const bans = sanctions(sql`ban b`, sql`b.user_id = ${userId} and ${knowsBan(ctx)}`, {
    isEverywhere: sql`b.scope = 'network'`,
    begun: { name: 'banned', by: sql`b.banned_by`, byName: NO_TEXT },
    over: { name: 'unbanned', by: sql`b.lifted_by`, byName: NO_TEXT },
  })
  const mutes = sanctions(sql`mute b`, sql`b.user_id = ${userId} and ${knowsMute(ctx)}`, {
    isEverywhere: sql`false`,
    begun: {
      name: 'muted',
      by: sql`case when b.rule_version is null then b.muted_by end`,
      byName: sql`case when b.rule_version is not null then ${ruleName(sql`b.muted_by`)} end`,
    },
    // A rule that mutes again ends the mute before.
    over: { name: 'unmuted', by: sql`b.lifted_by`, byName: ruleName(sql`b.lifted_by`) },
  })
  return [
    ...written,
    {
      name: 'decision',
      select: sql`
        select d.outcome::text as act, d.decided_at as at, d.subject_type::text as subject_type, d.community_id, ${NO_TEXT} as channel_id,
          false as is_everywhere, d.decided_by as actor_id, d.decided_by_name as actor_name, d.reason, null::timestamptz as ends_at
        from decision d
        where d.author_id = ${userId} and d.undone_at is null and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`d.community_id`)}`,
      limit: ACTS_READ,
    },
    {
      name: 'flag',
      select: sql`
        select 'reported' as act, f.created_at as at, f.subject_type::text as subject_type, coalesce(c.community_id, p.community_id) as community_id,
          case when h.type <> 'conversation' then m.channel_id end as channel_id, false as is_everywhere, case when f.rule_version is null then f.user_id end as actor_id, ${NO_TEXT} as actor_name, f.reason,
          null::timestamptz as ends_at
        from ${flagsOn(userId)} f ${FLAGGED} where ${knowsFlag(ctx)}`,
      limit: ACTS_READ,
    },
    ...bans,
    ...mutes,
    ...treatments(ctx, userId),
  ]
}

const NO_TEXT = sql`null::text`
const NOTHING_MORE = sql`
  false as is_everywhere, ${NO_TEXT} as actor_id, ${NO_TEXT} as actor_name, ${NO_TEXT} as reason, null::timestamptz as ends_at`
/** An act on the account, not on something that was written. */
const NO_SUBJECT = sql`${NO_TEXT} as subject_type`

const ruleName = (ruleId: Sql) => sql`(select rule.name from rule where rule.rule_id = ${ruleId})`

interface Ways {
  isEverywhere: Sql
  begun: Way
  over: Way
}

interface Way {
  name: string
  by: Sql
  byName: Sql
}

/** How bans or mutes `b` began and ended: a person has few. */
function sanctions(from: Sql, where: Sql, { isEverywhere, begun, over }: Ways): Source[] {
  const select = ({ name, by, byName }: Way, at: Sql, [reason, endsAt]: [Sql, Sql]) => ({
    name,
    select: sql`
      select ${sql.raw(`'${name}'`)} as act, ${at} as at, ${NO_SUBJECT}, b.community_id, b.channel_id, ${isEverywhere} as is_everywhere,
        ${by} as actor_id, ${byName} as actor_name, ${reason} as reason, ${endsAt} as ends_at
      from ${from} where ${at} is not null and ${where}`,
    limit: ACTS_READ,
  })
  return [
    select(begun, sql`b.created_at`, [sql`b.reason`, sql`b.ends_at`]),
    select(over, sql`b.lifted_at`, [NO_TEXT, sql`null::timestamptz`]),
  ]
}

function treatments(ctx: Ctx, userId: string): Source[] {
  const select = (acts: { trust: string; hold: string }, columns: { at: Sql; by: Sql; reason: Sql; endsAt: Sql }) => ({
    name: acts.hold,
    select: sql`
      select case a.kind when 'trust' then ${sql.raw(`'${acts.trust}'`)} else ${sql.raw(`'${acts.hold}'`)} end as act, ${columns.at} as at, ${NO_SUBJECT},
        a.community_id, ${NO_TEXT} as channel_id, a.community_id is null as is_everywhere, ${columns.by} as actor_id, ${NO_TEXT} as actor_name,
        ${columns.reason} as reason, ${columns.endsAt} as ends_at
      from author_treatment a where a.user_id = ${userId} and ${columns.at} is not null and ${mayKnowTreatment(ctx)}`,
    limit: ACTS_READ,
  })
  return [
    select(
      { trust: 'trusted', hold: 'putOnHold' },
      { at: sql`a.created_at`, by: sql`a.set_by`, reason: sql`a.reason`, endsAt: sql`a.ends_at` },
    ),
    select(
      { trust: 'untrusted', hold: 'takenOffHold' },
      { at: sql`a.ended_at`, by: sql`a.ended_by`, reason: NO_TEXT, endsAt: sql`null::timestamptz` },
    ),
  ]
}

/** The rows of which no source has others in between; `next` is where the next page begins. */
function cutWhereOneEnds(rows: TimelineRow[]): { shown: TimelineRow[]; next?: Date } {
  const ends = [...Map.groupBy(rows, ({ source }) => source)].flatMap(([source, ofIt]) => {
    const limit = ContentType.safeParse(source).success ? WRITTEN_READ : ACTS_READ
    return ofIt.length < limit ? [] : [ofIt.at(-1)?.at.getTime() ?? 0]
  })
  if (ends.length === 0) return { shown: rows }
  const end = Math.max(...ends)
  const shown = rows.filter(({ at }) => at.getTime() > end)
  if (shown.length > 0) return { shown, next: new Date(end) }
  // All of them at the same moment, as imports may have them.
  return { shown: rows.filter(({ at }) => at.getTime() === end), next: new Date(end - 1) }
}

/** One entry for what repeats on a day, by the same person in the same place. */
function fold(rows: TimelineRow[], timeZone: string): TimelineEntry[] {
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const entries = new Map<string, TimelineEntry>()
  for (const row of rows) {
    const day = days.format(row.at)
    const { act, subjectType, scope, spaceId, by, reason, endsAt } = row
    const key = JSON.stringify([day, act, subjectType, scope, spaceId, by?.userId, by?.displayName, reason, endsAt])
    const same = entries.get(key)
    if (same) same.count += 1
    else entries.set(key, toEntry(row, day))
  }
  return [...entries.values()]
}

function toEntry(row: TimelineRow, day: string): TimelineEntry {
  const { act, at, subjectType, scope, spaceId, spaceName, by, reason, endsAt } = row
  return {
    act,
    at: timestampOf(at),
    day,
    count: 1,
    ...(scope && { space: { ...spaceOf(scope, spaceId ?? ''), displayName: spaceName ?? spaceId ?? '' } }),
    ...present({ subjectType, by, reason, endsAt: endsAt && timestampOf(endsAt) }),
  }
}
