import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mapInTurns } from '#server/core/map-in-turns.ts'
import { COMPARED_LENGTH, comparedText, shinglesOf } from '#server/core/similarity/shingles.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import { bandsAround } from '#server/modules/content/items/text-bands.ts'
import { BULK_LIMIT, type WaveTraits } from '#server/modules/review/bulk/schema.ts'
import { commonShingles, linkedDomains, membersOf, sharedWords } from '#server/modules/review/bulk/wave-of.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { atMost, itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'

/** A burst: what was held up to a day before and after. */
const WINDOW = sql`interval '1 day'`
/** Of so many that share a band with a text, the bands they share are counted. */
const MOST_COUNTED = 20_000
/** Of these, so many that share most are compared: more than one bulk action takes. */
const MOST_COMPARED = 2_000
/** What shares so many doesn't by chance: of a wave with more of it than are compared, no more is read. */
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
  traits: WaveTraits
}

/**
 * What is held within a day of an item and says nearly the same, in every community that the caller reviews (docs/decisions/0239): found by the bands
 * of the item, then by those of what its nearest have in common, and compared by the trigrams of the texts. Undefined for fewer than three.
 * NOT_FOUND for an item that the caller doesn't review.
 */
export async function findWave(
  ctx: Ctx,
  subject: Subject,
  { mostCompared = MOST_COMPARED } = {},
): Promise<Wave | undefined> {
  const { isHeld, ...item } = await readText(ctx, subject)
  const shingles = isHeld ? shinglesOf(comparedText(item)) : undefined
  if (shingles === undefined) return undefined
  const lookup = { heldAt: item.queuedAt, mostCompared, compared: new Map() }
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
  const { members, isCut } = await membersOf(common, { texts: [...known.values()], open, limit: BULK_LIMIT })
  if (members.length < LEAST_MEMBERS) return undefined
  const texts = members.map(comparedText)
  const traits = {
    words: await sharedWords(comparedText(item), texts),
    domains: await linkedDomains(texts),
    communities: new Set(members.map(({ communityId }) => communityId)).size,
  }
  return { members, isCut, traits }
}

const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`

type TextRow = Omit<WaveMember, 'shingles'>

async function readText(ctx: Ctx, subject: Subject): Promise<TextRow & { isHeld: boolean }> {
  const item = await queryOne<TextRow & { isHeld: boolean }>(
    ctx,
    sql`
    select ${COMPARED}, ${IS_HELD} as is_held from ${itemsOf([subject])} where i.placed_at is not null and ${mayReviewHeld(ctx)}`,
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
  /** The trigrams of texts that were read already. */
  compared: Map<string, ReadonlySet<number> | undefined>
}

/** What shares most bands with a text. */
async function readSharing(
  ctx: Ctx,
  shingles: ReadonlySet<number>,
  { heldAt, mostCompared, compared }: Lookup,
): Promise<WaveMember[]> {
  const rows = await query<TextRow>(ctx, nearest(ctx, { bands: bandsAround(shingles, heldAt), heldAt, mostCompared }))
  const read = await mapInTurns(rows, (row) => {
    const text = comparedText(row)
    if (!compared.has(text)) compared.set(text, shinglesOf(text))
    const shingles = compared.get(text)
    return shingles ? [{ ...row, shingles }] : []
  })
  return read.flat()
}

interface Sharing {
  bands: number[]
  heldAt: Date
  mostCompared: number
}

/**
 * The texts of those that share most bands: on a busy day, thousands share one by chance. Planned without a limit, which would make reading
 * everything look cheap; read only as far as is needed. Uses review_item_bands.
 */
function nearest(ctx: Ctx, { bands, heldAt, mostCompared }: Sharing): Sql {
  const isEnough = sql`(select count(*) from sure) = ${mostCompared}`
  return sql`
    with found as materialized (
      select i.subject_type, i.subject_id, i.text_bands from review_item i
      where ${IS_HELD} and i.text_bands && ${bands}::int[] and ${mayReviewHeld(ctx)}
        and i.placed_at between ${heldAt}::timestamptz - ${WINDOW} and ${heldAt}::timestamptz + ${WINDOW}),
    counted as materialized (
      select subject_type, subject_id, (select count(*) from unnest(text_bands) band where band = any(${bands}::int[])) as shared
      from (select * from found ${atMost(MOST_COUNTED)}) read),
    sure as materialized (
      select subject_type, subject_id from counted where shared >= ${SURELY_SHARED} ${atMost(mostCompared)})
    select ${COMPARED} from (
      select subject_type, subject_id from sure where ${isEnough}
      union all (
        select subject_type, subject_id from counted where not ${isEnough} order by shared desc, subject_id ${atMost(mostCompared)})) near
    join review_item i on i.subject_type = near.subject_type and i.subject_id = near.subject_id and i.kind = 'held'`
}
