import { setImmediate } from 'node:timers/promises'
import { domainToUnicode } from 'node:url'
import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import {
  type AskedRate,
  type CountedRate,
  JUDGED_LENGTH,
  type Rate,
  type Scope,
  type Text,
} from '#server/modules/rules/conditions/facts.ts'
import { findLinks, nameOf } from '#server/modules/rules/conditions/links.ts'

/** Of what was written with links before an item, so many of the latest comments and of the latest posts are looked at. */
const MOST_READ = sql.raw('limit 1000')
/** Of one item, so many domains are looked for. */
const MOST_DOMAINS = 20
/** After so many texts, other requests have their turn. */
const TEXTS_A_TURN = 100
const MINUTE_MS = 60_000

interface Writing {
  texts: Text[]
  /** When it came to say that. */
  textAt: Date
  subjectId?: string | undefined
}

/** Links without what doesn't change where they lead, and their domains. */
interface Links {
  link: Set<string>
  domain: Set<string>
}

interface Linking extends Writing {
  links: Links
}

const NO_LINKS: Links = { link: new Set(), domain: new Set() }

/** A rate of links, or of their domains. */
export type LinkRate = AskedRate & { by: keyof Links }

/** What was written before one of the items, and may link to the same. */
interface Other {
  /** The place of the item. */
  item: number
  scope: Scope
  subjectId: string
  createdAt: Date
  title: string | null
  text: string | null
}

/**
 * How often the most frequent link of each item, or the most frequent domain of its links, was written until then, with the item itself: 0 without
 * links. In one statement, or none if nothing is asked for or nothing has a link.
 */
export async function readLinkRates(
  ctx: Ctx,
  communityId: string | null,
  writings: Writing[],
  rates: LinkRate[],
): Promise<CountedRate[][]> {
  if (rates.length === 0) return writings.map(() => [])
  const links = writings.map(({ texts }) => linksOf(texts, MOST_DOMAINS))
  const others = Map.groupBy(await readOthers(ctx, communityId, { writings, links, rates }), ({ item }) => item)
  const counted: CountedRate[][] = []
  for (const [item, writing] of writings.entries())
    counted.push(await countEach(rates, { ...writing, links: links[item] ?? NO_LINKS }, others.get(item) ?? []))
  return counted
}

async function countEach(rates: LinkRate[], item: Linking, others: Other[]): Promise<CountedRate[]> {
  const counters = rates.map((rate) => counterOf(rate, item))
  for (const [index, other] of others.entries()) {
    if (counters.every(({ isEnough }) => isEnough())) break
    if (index > 0 && index % TEXTS_A_TURN === 0) await setImmediate()
    const links = linksOf([other.title, other.text].map((text) => ({ field: 'text', text: text ?? '' })))
    for (const { add } of counters) add(other, links)
  }
  return counters.map(({ counted }) => counted)
}

/** Counts how many items have the most frequent link, as far as conditions ask. */
function counterOf({ upTo, ...rate }: LinkRate, item: Linking) {
  const { by, scope } = rate
  const counts = new Map<string, number>()
  const [first] = item.links[by]
  const counted: CountedRate = { ...rate, count: first === undefined ? 0 : 1, most: first }
  const add = (other: Other, links: Links) => {
    if (scope !== other.scope || other.subjectId === item.subjectId || !isWithin(rate, item, other)) return
    for (const one of item.links[by].intersection(links[by])) {
      const count = (counts.get(one) ?? 1) + 1
      counts.set(one, count)
      if (count <= counted.count) continue
      counted.count = count
      counted.most = one
    }
  }
  return { counted, add, isEnough: () => counted.count > upTo }
}

function isWithin({ withinMinutes }: Rate, { textAt }: Writing, { createdAt }: Other): boolean {
  return textAt.getTime() - createdAt.getTime() < withinMinutes * MINUTE_MS
}

function linksOf(texts: Text[], mostDomains = Number.POSITIVE_INFINITY): Links {
  const links = findLinks(texts.map(({ field, text }) => ({ field, text: text.slice(0, JUDGED_LENGTH) })))
  const domain = new Set([...new Set(links.map((link) => nameOf(link, 'domain')))].slice(0, mostDomains))
  const kept = links.filter((link) => domain.has(nameOf(link, 'domain')))
  return { domain, link: new Set(kept.map((link) => nameOf(link, 'link'))) }
}

interface Lookup {
  writings: Writing[]
  links: Links[]
  rates: Rate[]
}

/** Planned for the latest few of a period. Uses comment_with_link, post_with_link, comment_with_link_anywhere and post_with_link_anywhere. */
async function readOthers(ctx: Ctx, communityId: string | null, { writings, links, rates }: Lookup): Promise<Other[]> {
  const scopes = new Map(rates.map(({ scope }) => [scope, longestIn(scope, rates)]))
  const linking = writings.flatMap(({ textAt }, item) => {
    const domains = [...(links[item]?.domain ?? [])]
    return domains.length > 0
      ? [{ item, at: textAt.toISOString(), patterns: domains.flatMap(patternsOf).join(' ') }]
      : []
  })
  if (linking.length === 0 || scopes.size === 0) return []
  const ofScope = (scope: Scope, where: Sql) => sql`
    (select comment_id as subject_id, created_at, data from comment
      where search.scope = ${scope} and ${where} and ${isBefore} order by created_at desc ${MOST_READ})
    union all
    (select post_id, created_at, data from post
      where search.scope = ${scope} and ${where} and ${isBefore} and parent_post_id is null order by created_at desc ${MOST_READ})`
  return query<Other>(
    ctx,
    sql`
    select item.place as item, search.scope, other.subject_id, other.created_at, other.title, other.text
    from unnest(${linking.map(({ item }) => item)}::int[], ${linking.map(({ at }) => at)}::timestamptz[],
      ${linking.map(({ patterns }) => patterns)}::text[]) as item(place, at, patterns)
    cross join unnest(${[...scopes.keys()]}::text[], ${[...scopes.values()]}::int[]) as search(scope, minutes)
    cross join lateral (
      select subject_id, created_at, left(data ->> 'title', ${JUDGED_LENGTH}) as title, left(data ->> 'text', ${JUDGED_LENGTH}) as text
      from (${ofScope('community', sql`community_id = ${communityId}`)} union all ${ofScope('network', sql`true`)}) written
      where lower(concat_ws(' ', data ->> 'title', data ->> 'text')) like any(string_to_array(item.patterns, ' '))) other`,
  )
}

const isBefore = sql`
  created_at < item.at and created_at > item.at - make_interval(mins => search.minutes) and may_have_link(data)`

function longestIn(scope: Scope, rates: Rate[]): number {
  return Math.max(...rates.filter((rate) => rate.scope === scope).map(({ withinMinutes }) => withinMinutes))
}

/** What a text that links to the domain contains: the domain as it is sent or as it is read. */
function patternsOf(domain: string): string[] {
  return [...new Set([domain, domainToUnicode(domain)])].map((name) => `%${name}%`)
}
