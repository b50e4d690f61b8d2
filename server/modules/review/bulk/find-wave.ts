import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { COMPARED_LENGTH, comparedText, shinglesOf } from '#server/core/similarity/shingles.ts'
import { IS_PENDING } from '#server/modules/content/items/held.ts'
import { bandsAround } from '#server/modules/content/items/text-bands.ts'
import { overTime } from '#server/modules/review/bulk/over-time.ts'
import { BULK_LIMIT, type WaveOverTime } from '#server/modules/review/bulk/schema.ts'
import { commonShingles, membersOf } from '#server/modules/review/bulk/wave-of.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { atMost, isInOwnQueue, itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'

/** A burst: what was held up to a day before and after. */
const WINDOW = sql`interval '1 day'`
/** How many of the items that share a band with a text are read, to count the bands they share. */
const MOST_COUNTED = 20_000
/** How many of these are compared, those that share most: more than one bulk action takes. */
const MOST_COMPARED = 2_000
/** Items that share so many bands don't by chance: once more of them are found than are compared, no more are read. */
const SURELY_SHARED = 6
const LEAST_MEMBERS = 3

export interface WaveMember extends Subject {
  title: string | null
  text: string | null
  userId: string
  communityId: string
  queuedAt: Date
  shingles: ReadonlySet<number>
}

interface Wave {
  /** The least similar first. */
  members: WaveMember[]
  /** More are held than one bulk action takes. */
  isCut: boolean
  /** All that are held, with those that aren't among the members. */
  count: number
  /** There are more than were counted. */
  isMore: boolean
  /** The communities it is in. */
  communityIds: string[]
  overTime: WaveOverTime
}

/**
 * What is held within a day of an item and says nearly the same, in every community that the caller reviews (docs/decisions/0239): found by the bands
 * of the item, then by those of what its nearest have in common, and compared by the trigrams of the texts. Undefined for fewer than three.
 * NOT_FOUND for an item that the caller doesn't review.
 */
export async function findWave(
  ctx: Ctx,
  subject: Subject,
  { mostCompared = MOST_COMPARED, mostCounted = MOST_COUNTED } = {},
): Promise<Wave | undefined> {
  const { isHeld, ...item } = await readText(ctx, subject)
  const shingles = isHeld ? shinglesOf(comparedText(item)) : undefined
  if (shingles === undefined) return undefined
  const lookup = { heldAt: item.queuedAt, mostCompared, mostCounted, compared: new Map() }
  const near = await readSharing(ctx, shingles, lookup)
  const others = near.filter((other) => keyOf(other) !== keyOf(item))
  const common = await commonShingles(
    shingles,
    others.map((other) => other.shingles),
  )
  if (common === undefined) return undefined
  const more = await readSharing(ctx, common, lookup)
  const open = { ...item, shingles }
  const known = new Map([...near, ...more, open].map((text) => [keyOf(text), text]))
  const { members, found } = await membersOf(common, { texts: [...known.values()], open, limit: BULK_LIMIT })
  if (members.length < LEAST_MEMBERS) return undefined
  // What isn't compared is counted.
  const sure = more.length < mostCompared ? NONE : await countSure(ctx, common, lookup)
  const count = Math.max(found, sure.count)
  const communityIds = [...new Set(members.map(({ communityId }) => communityId))]
  const held = overTime(members.map(({ queuedAt }) => queuedAt))
  return { members, isCut: count > members.length, count, isMore: sure.isMore, communityIds, overTime: held }
}

const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`

type TextRow = Omit<WaveMember, 'shingles'>

async function readText(ctx: Ctx, subject: Subject): Promise<TextRow & { isHeld: boolean }> {
  const item = await queryOne<TextRow & { isHeld: boolean }>(
    ctx,
    sql`
    select ${COMPARED}, ${IS_PENDING} as is_held from ${itemsOf([subject])} where i.placed_at is not null and ${mayReviewHeld(ctx)}`,
  )
  if (item === undefined) throw new DomainError('NOT_FOUND')
  return item
}

/** Columns of a text, as much of it as is compared. */
const COMPARED = sql`
  i.subject_type, i.subject_id, left(i.title, ${COMPARED_LENGTH}) as title, left(i.text, ${COMPARED_LENGTH}) as text, i.author_id as user_id,
  i.community_id, i.placed_at as queued_at`

interface Lookup {
  heldAt: Date
  mostCompared: number
  mostCounted: number
  /** The trigrams of texts that were read already. */
  compared: Map<string, ReadonlySet<number> | undefined>
}

/** What shares most bands with a text. */
async function readSharing(
  ctx: Ctx,
  shingles: ReadonlySet<number>,
  { compared, ...lookup }: Lookup,
): Promise<WaveMember[]> {
  const bands = bandsAround(shingles, lookup.heldAt)
  const rows = await query<TextRow>(ctx, nearest(ctx, { ...lookup, bands }))
  const read = await mapInTurns(rows, (row) => {
    const text = comparedText(row)
    if (!compared.has(text)) compared.set(text, shinglesOf(text))
    const shingles = compared.get(text)
    return shingles ? [{ ...row, shingles }] : []
  })
  return read.flat()
}

const NONE = { count: 0, isMore: false }

/** How many share so much with the wave that it isn't by chance, without comparing their texts; `isMore` if so many are read that there may be more. */
async function countSure(
  ctx: Ctx,
  common: ReadonlySet<number>,
  { compared: _, ...lookup }: Lookup,
): Promise<{ count: number; isMore: boolean }> {
  const row = await queryOne<{ read: number; sure: number }>(
    ctx,
    sql`
    with ${counted(ctx, { ...lookup, bands: bandsAround(common, lookup.heldAt) })}
    select count(*)::int as read, (count(*) filter (where shared >= ${SURELY_SHARED}))::int as sure from counted`,
  )
  const { read, sure } = row ?? { read: 0, sure: 0 }
  return { count: sure, isMore: read === lookup.mostCounted && sure >= lookup.mostCompared }
}

interface Sharing extends Omit<Lookup, 'compared'> {
  bands: number[]
}

/**
 * Part of a `with` that contains the rows `counted`: how many of the bands they share. Planned without a limit, which would make reading
 * everything look cheap; read only as far as is needed. Uses review_item_bands.
 */
function counted(ctx: Ctx, { bands, heldAt, mostCounted }: Sharing): Sql {
  return sql`
    found as materialized (
      select i.subject_type, i.subject_id, i.text_bands from review_item i
      where i.text_bands && ${bands}::int[] and ${isInOwnQueue(ctx)}
        and i.placed_at between ${heldAt}::timestamptz - ${WINDOW} and ${heldAt}::timestamptz + ${WINDOW}),
    counted as materialized (
      select subject_type, subject_id, (select count(*) from unnest(text_bands) band where band = any(${bands}::int[])) as shared
      from (select * from found ${atMost(mostCounted)}) read)`
}

/** The texts of those that share most bands: on a busy day, thousands share one by chance. */
function nearest(ctx: Ctx, sharing: Sharing): Sql {
  const { mostCompared } = sharing
  const isEnough = sql`(select count(*) from sure) = ${mostCompared}`
  return sql`
    with ${counted(ctx, sharing)},
    sure as materialized (
      select subject_type, subject_id from counted where shared >= ${SURELY_SHARED} ${atMost(mostCompared)})
    select ${COMPARED} from (
      select subject_type, subject_id from sure where ${isEnough}
      union all (
        select subject_type, subject_id from counted where not ${isEnough} order by shared desc, subject_id ${atMost(mostCompared)})) near
    join review_item i on i.subject_type = near.subject_type and i.subject_id = near.subject_id and i.kind = 'held'`
}
