import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import type { Row } from '#server/modules/integrations/imports/records/record-kind.ts'

/** 80 MB of times. Above this limit, messages are numbered after they are added. */
const MESSAGES_PLANNED = 10_000_000

interface ChannelPlan {
  /** When each message without a segment was written, in milliseconds since 1970; sorted before they are added. */
  times: number[]
  /** The channel's greatest segment, before the first of them and now. */
  state?: { base: number; last: number }
}

/**
 * The segments that the messages of an import will have, computed from their order in time before the first one is added.
 * Numbering them afterwards would write and index each message twice. Cases that can't be planned are still numbered
 * afterwards: channels with later messages or given segments, channels that somebody writes to during the import, and messages
 * with the same time.
 */
export class SegmentPlan {
  readonly #channels = new Map<string, ChannelPlan | 'none'>()
  #count = 0

  /** Called for every message that may be added, before the first one is. */
  note({ channelId, channelSegment, createdAt }: Row): void {
    const id = String(channelId)
    const plan = this.#channels.get(id) ?? { times: [] }
    this.#count += 1
    const isPlannable = plan !== 'none' && channelSegment === null && this.#count <= MESSAGES_PLANNED
    if (isPlannable) plan.times.push(Date.parse(String(createdAt)))
    this.#channels.set(id, isPlannable ? plan : 'none')
  }

  /** These rows with their segments as far as they are planned; their channels are locked. */
  async assign(ctx: Ctx, rows: Row[]): Promise<Row[]> {
    const assigned: Row[] = []
    for (const [channelId, ofChannel] of Map.groupBy(rows, (row) => String(row.channelId)))
      assigned.push(...(await this.#assignInChannel(ctx, channelId, ofChannel)))
    return assigned
  }

  async #assignInChannel(ctx: Ctx, channelId: string, rows: Row[]): Promise<Row[]> {
    const plan = this.#channels.get(channelId)
    if (plan === undefined || plan === 'none') return rows
    const state = plan.state ?? (await begin(ctx, channelId, plan))
    const isAlone = state !== undefined && (await readLastSegment(ctx, channelId)) === state.last
    if (!isAlone) {
      this.#channels.set(channelId, 'none')
      return rows
    }
    const assigned = rows.map((row) => ({ ...row, channelSegment: segmentOf(row, plan, state.base) }))
    const last = assigned.reduce((most, { channelSegment }) => Math.max(most, channelSegment ?? 0), state.last)
    plan.state = { base: state.base, last }
    return assigned
  }
}

/** The state in which a plan begins; undefined if the channel has messages later than its first. Uses message_in_channel. */
async function begin(ctx: Ctx, channelId: string, { times }: ChannelPlan): Promise<ChannelPlan['state']> {
  times.sort((one, other) => one - other)
  const first = new Date(times[0] ?? 0)
  const later = await queryOne(
    ctx,
    sql`
    select 1 from message where channel_id = ${channelId} and created_at >= ${first}
    union all select 1 from message_numbering where channel_id = ${channelId} limit 1`,
  )
  if (later !== undefined) return undefined
  const base = await readLastSegment(ctx, channelId)
  return { base, last: base }
}

/** Uses message_segment. */
async function readLastSegment(ctx: Ctx, channelId: string): Promise<number> {
  const found = await queryOne<{ last: number }>(
    ctx,
    sql`
    select coalesce(max(channel_segment), 0) as last from message where channel_id = ${channelId} and channel_segment is not null`,
  )
  return found?.last ?? 0
}

/** Null for messages with the same time: their numbers are reserved, and assigned in list order at the end. */
function segmentOf({ createdAt }: Row, { times }: ChannelPlan, base: number): number | null {
  const time = Date.parse(String(createdAt))
  const position = firstPositionOf(times, time)
  return times[position] === time && times[position + 1] !== time ? base + position + 1 : null
}

function firstPositionOf(times: number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? time) < time) low = middle + 1
    else high = middle
  }
  return low
}
