import { setImmediate } from 'node:timers/promises'
import { domainToUnicode } from 'node:url'
import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import {
  type AskedRate,
  type CountedRate,
  JUDGED_LENGTH,
  type Scope,
  type Text,
} from '#server/modules/rules/conditions/facts.ts'
import { type Links, linkKey, linksOf } from '#server/modules/rules/judging/link-keys.ts'

/** How many of the latest of each kind that were written with links before an item are looked at. */
const MOST_READ = sql.raw('limit 1000')
/** How many domains of one item are looked for. */
const MOST_DOMAINS = 20
/** The end of a domain by which texts without keys are found. */
const LOOKED_FOR = 20
/** How many texts are read before other requests have their turn. */
const TEXTS_A_TURN = 10
const MINUTE_MS = 60_000

/** Where something was written: in a community, or as a message in a channel. */
interface WrittenIn {
  communityId: string | null
  channelId?: string | undefined
}

interface Writing {
  texts: Text[]
  /** When it came to say that. */
  textAt: Date
  subjectId?: string | undefined
}

interface Linking extends Writing {
  links: Links
}

/** A rate of links, or of their domains. */
export type LinkRate = AskedRate & { by: keyof Links }

/** How many of the items written within so many minutes have the link or domain with this key. */
interface Count {
  item: number
  scope: Scope
  minutes: number
  key: string
  count: number
}

/** What has no keys, and may link to the same: what was edited or imported. */
interface Unkeyed {
  item: number
  scope: Scope
  minutes: null
  createdAt: Date
  title: string | null
  text: string | null
}

/**
 * How often the most frequent link of each item, or the most frequent domain of its links, was written until then, with the item itself: 0 without
 * links. Links of messages are counted in messages, those of comments and posts in both. In one statement, or none if nothing is asked for or
 * nothing has a link.
 */
export async function readLinkRates(
  ctx: Ctx,
  space: WrittenIn,
  writings: Writing[],
  rates: LinkRate[],
): Promise<CountedRate[][]> {
  if (rates.length === 0) return writings.map(() => [])
  const items = writings.map((writing) => ({ ...writing, links: linksOf(writing.texts, MOST_DOMAINS) }))
  const found = Map.groupBy(await readWritten(ctx, space, items, rates), ({ item }) => item)
  const counted: CountedRate[][] = []
  for (const [place, item] of items.entries()) counted.push(await countEach(rates, item, found.get(place) ?? []))
  return counted
}

async function countEach(rates: LinkRate[], item: Linking, found: (Count | Unkeyed)[]): Promise<CountedRate[]> {
  const counts = found.filter((row): row is Count => row.minutes !== null)
  const unkeyed = found.filter((row): row is Unkeyed => row.minutes === null)
  const counters = rates.map((rate) => counterOf(rate, item, counts))
  for (const [index, other] of unkeyed.entries()) {
    if (counters.every(({ isEnough }) => isEnough())) break
    if (index > 0 && index % TEXTS_A_TURN === 0) await setImmediate()
    const links = linksOf([other.title, other.text].map((text) => ({ field: 'text', text: text ?? '' })))
    for (const { add } of counters) add(other, links)
  }
  return counters.map(({ counted }) => counted)
}

/** Counts how many items have the most frequent link, as far as conditions ask. */
function counterOf({ upTo, ...rate }: LinkRate, { links, textAt }: Linking, known: Count[]) {
  const { by, scope, withinMinutes } = rate
  const ofRate = known.filter((count) => count.scope === scope && count.minutes === withinMinutes)
  const byKey = new Map(ofRate.map(({ key, count }) => [key, count]))
  const counts = new Map([...links[by]].map((name) => [name, 1 + (byKey.get(linkKey(by, name)) ?? 0)]))
  const counted: CountedRate = { ...rate, count: 0 }
  const note = (name: string, count: number) => {
    if (count > counted.count) Object.assign(counted, { count, most: name })
  }
  for (const [name, count] of counts) note(name, count)
  const add = (other: Unkeyed, others: Links) => {
    if (scope !== other.scope || textAt.getTime() - other.createdAt.getTime() >= withinMinutes * MINUTE_MS) return
    for (const name of links[by].intersection(others[by])) {
      const count = (counts.get(name) ?? 1) + 1
      counts.set(name, count)
      note(name, count)
    }
  }
  return { counted, add, isEnough: () => counted.count > upTo }
}

/**
 * One plan serves all calls: what is asked is in JSON, of which the planner always expects the same. Uses comment_with_link, post_with_link and
 * message_with_link, or those whose names also end with _anywhere.
 */
async function readWritten(
  ctx: Ctx,
  space: WrittenIn,
  items: Linking[],
  rates: LinkRate[],
): Promise<(Count | Unkeyed)[]> {
  const linking = items.flatMap(({ textAt, subjectId, links }, place) =>
    links.domain.size > 0
      ? [{ place, ...space, at: textAt, subjectId, keys: keysOf(links), pattern: patternOf(links) }]
      : [],
  )
  if (linking.length === 0) return []
  const windows = rates.map(({ scope, withinMinutes }) => ({ scope, minutes: withinMinutes }))
  return query<Count | Unkeyed>(
    ctx,
    sql`
    with item as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(linking)}::jsonb)
        as item(place int, "communityId" text, "channelId" text, at timestamptz, "subjectId" text, keys bigint[], pattern text)),
    period as materialized (
      select distinct scope, minutes from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) as period(scope text, minutes int)),
    other as materialized (
      select item.place as item, item.at, item.keys, search.scope, written.created_at, written.link_keys,
        case when written.link_keys is null then ${judgedPart('title')} end as title,
        case when written.link_keys is null then ${judgedPart('text')} end as text
      from item cross join (select scope, max(minutes) as minutes from period group by scope) search
      cross join lateral (${latestWith(space)}) written
      where written.subject_id is distinct from item."subjectId" and (written.link_keys && item.keys
        or written.link_keys is null and lower(concat_ws(' ', ${judgedPart('title')}, ${judgedPart('text')})) ~ item.pattern))
    select other.item, other.scope, period.minutes, linked.key::text as key, count(*)::int as count,
      null::timestamptz as created_at, null::text as title, null::text as text
    from other join period on period.scope = other.scope and other.created_at > other.at - make_interval(mins => period.minutes)
    cross join lateral unnest(other.link_keys) as linked(key)
    where linked.key = any(other.keys)
    group by 1, 2, 3, 4
    union all
    select other.item, other.scope, null, null, null, other.created_at, other.title, other.text from other where other.link_keys is null`,
  )
}

const judgedPart = (field: Text['field']) => sql`left(written.data ->> ${sql.raw(`'${field}'`)}, ${JUDGED_LENGTH})`

/** The latest in the time that is searched. */
function latestWith({ channelId }: WrittenIn): Sql {
  const inTime = sql`
    created_at < item.at and created_at > item.at - make_interval(mins => search.minutes) and may_have_link(data)
    order by created_at desc ${MOST_READ}`
  const comments = (where: Sql) => sql`
    (select comment_id as subject_id, created_at, data, link_keys from comment where ${where} and ${inTime})`
  const posts = (where: Sql) => sql`
    (select post_id, created_at, data, link_keys from post where parent_post_id is null and ${where} and ${inTime})`
  const messages = (where: Sql) => sql`
    (select message_id as subject_id, created_at, data, link_keys from message where ${where} and ${inTime})`
  const local = sql`search.scope = 'community'`
  const everywhere = sql`search.scope = 'network'`
  if (channelId !== undefined)
    return sql`
      ${messages(sql`${local} and channel_id = item."channelId"`)}
      union all ${messages(sql`${everywhere} and not exists (
        select from channel ch where ch.channel_id = message.channel_id and ch.type = 'conversation')`)}`
  const inCommunity = sql`${local} and community_id = item."communityId"`
  return sql`
    ${comments(inCommunity)} union all ${posts(inCommunity)} union all ${comments(everywhere)} union all ${posts(everywhere)}`
}

function keysOf(links: Links): string[] {
  return (['link', 'domain'] as const).flatMap((by) => [...links[by]].map((name) => linkKey(by, name)))
}

/**
 * What a text that links to the domains contains, as a regular expression: the end of one as it is sent or as it is read. It is matched in linear
 * time; LIKE takes the product of both lengths where a text nearly contains it at each character.
 */
function patternOf({ domain }: Links): string {
  const ends = [...domain].flatMap((name) =>
    [name, domainToUnicode(name)].map((known) => [...known].slice(-LOOKED_FOR)),
  )
  return [...new Set(ends.map((end) => end.join('').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')))].join('|')
}
