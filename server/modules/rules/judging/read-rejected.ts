import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { COMPARED_LENGTH, comparedText, shinglesOf, similarity } from '#server/core/similarity/shingles.ts'
import type { Facts, RejectedSearch, Text } from '#server/modules/rules/conditions/facts.ts'
import { communityKeyOf, leastShared, rejectedBandsOf } from '#server/modules/rules/judging/rejected-bands.ts'

/** How many of the latest texts that share a band are looked at. */
const OF_A_BAND = sql.raw('limit 25')
/** How many of all these are compared, those that share most bands: more than a condition asks for. */
const MOST_COMPARED = 30
/** For how many rejected texts, those compared latest, trigrams are kept: in a raid, they are compared with each new text. */
const TEXTS_KEPT = 500

interface Writing {
  texts: Text[]
  /** When it came to say that. */
  textAt: Date
  /** Its own rejection says nothing about it. */
  subjectId?: string | undefined
}

type Found = NonNullable<Facts['rejected']>
type Shingles = ReadonlySet<number>

/**
 * How similar each text is to those that people had rejected before, in the community or in the network, for each search. At most two statements,
 * however many texts: what shares bands with them, and what that says. An undone rejection doesn't count.
 */
export async function readRejected(
  ctx: Ctx,
  communityId: string | null,
  writings: Writing[],
  searches: RejectedSearch[],
): Promise<Found[]> {
  if (searches.length === 0) return writings.map(() => [])
  const shingles = await mapInTurns(writings, ({ texts }) => shinglesOf(texts.map(({ text }) => text).join(' ')))
  const candidates = await findCandidates(ctx, communityId, { writings, shingles, searches })
  const rejected = await readTexts(ctx, [...new Set(candidates.flatMap(({ decisionIds }) => decisionIds))])
  const found = writings.map(() =>
    searches.map(({ scope, withinDays }) => ({ scope, withinDays, similarities: [] as number[] })),
  )
  await mapInTurns(candidates, ({ writing, search, decisionIds }) => {
    const one = shingles[writing]
    const others = decisionIds.flatMap((decisionId) => rejected.get(decisionId) ?? [])
    if (one) found[writing]?.[search]?.similarities.push(...others.map((other) => similarity(one, other)))
  })
  return found
}

const kept = new Map<string, Shingles | undefined>()

function keptShinglesOf(text: string): Shingles | undefined {
  const shingles = kept.has(text) ? kept.get(text) : shinglesOf(text)
  kept.delete(text)
  kept.set(text, shingles)
  const [oldest] = kept.keys()
  if (kept.size > TEXTS_KEPT && oldest !== undefined) kept.delete(oldest)
  return shingles
}

interface Lookup {
  writings: Writing[]
  shingles: (Shingles | undefined)[]
  searches: RejectedSearch[]
}

interface Candidates {
  /** Places in the lists. */
  writing: number
  search: number
  decisionIds: string[]
}

/** Reads a limited part of an index for each band. Uses rejected_band_in_community, rejected_band_pkey and decision_pkey. */
async function findCandidates(ctx: Ctx, communityId: string | null, lookup: Lookup): Promise<Candidates[]> {
  const { writings, searches } = lookup
  const bands = lookup.shingles.flatMap((shingles, writing) =>
    shingles ? rejectedBandsOf(shingles).map((band) => ({ writing, band })) : [],
  )
  if (bands.length === 0) return []
  const isInTime = sql`
    b.band = probe.band and b.decided_at < item.at and b.decided_at >= item.at - make_interval(days => search.days)
    order by b.decided_at desc, b.decision_id desc ${OF_A_BAND}`
  return query<Candidates>(
    ctx,
    sql`
    with sharing as (
      select probe.writing, (search.place - 1)::int as search, near.decision_id, count(*) as shared
      from unnest(${bands.map(({ writing }) => writing)}::int[], ${bands.map(({ band }) => band)}::int[]) as probe(writing, band)
      join unnest(${writings.map(({ textAt }) => textAt.toISOString())}::timestamptz[]) with ordinality as item(at, place)
        on item.place = probe.writing + 1
      cross join unnest(${searches.map(({ withinDays }) => withinDays)}::int[], ${searches.map(({ scope }) => scope)}::text[],
        ${searches.map(({ similarAtLeast }) => leastShared(similarAtLeast))}::int[])
        with ordinality as search(days, scope, least, place)
      cross join lateral (
        (select b.decision_id from rejected_band b
          where search.scope = 'community' and b.community_key = ${communityId && communityKeyOf(communityId)} and ${isInTime})
        union all
        (select b.decision_id from rejected_band b where search.scope = 'network' and ${isInTime})) near
      group by 1, 2, 3, search.least having count(*) >= search.least),
    ranked as (
      select sharing.*, row_number() over (
        partition by sharing.writing, sharing.search order by sharing.shared desc, d.decided_at desc, d.decision_id) as rank
      from sharing join decision d on d.decision_id = sharing.decision_id
      where d.undone_at is null
        and (d.community_id = ${communityId} or (${searches.map(({ scope }) => scope)}::text[])[sharing.search + 1] = 'network')
        and d.subject_id is distinct from (${writings.map(({ subjectId }) => subjectId ?? null)}::text[])[sharing.writing + 1])
    select writing, search, array_agg(decision_id::text) as decision_ids from ranked
    where rank <= ${MOST_COMPARED} group by 1, 2`,
  )
}

/** What was rejected, as it is now; without what is gone, and without what an appeal published again. Uses decision_pkey, comment_pkey and post_pkey. */
async function readTexts(ctx: Ctx, decisionIds: string[]): Promise<Map<string, Shingles>> {
  if (decisionIds.length === 0) return new Map()
  const part = (key: string) => sql`left(coalesce(c.data, p.data) ->> ${key}::text, ${COMPARED_LENGTH})`
  const rows = await query<{ decisionId: string; title: string | null; text: string | null }>(
    ctx,
    sql`
    select d.decision_id::text as decision_id, ${part('title')} as title, ${part('text')} as text
    from decision d
    left join comment c on d.subject_type = 'comment' and c.comment_id = d.subject_id and c.approval_status = 'rejected'
    left join post p on d.subject_type = 'post' and p.post_id = d.subject_id and p.feed_type = 'declined'
    where d.decision_id = any(${decisionIds}::bigint[])`,
  )
  const shingles = await mapInTurns(rows, (row) => keptShinglesOf(comparedText(row)))
  return new Map(rows.flatMap(({ decisionId }, index) => (shingles[index] ? [[decisionId, shingles[index]]] : [])))
}
