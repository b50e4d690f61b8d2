import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

/** Held comments as in the file of talk pages. */
export interface HeldTalk {
  commentId: string
  targetId: string
  userId: string
  referenceId: string
  data: { text: string }
  createdAt: string
  queuedAt: string
}

/** The query for them, as in the desk's filter. */
export interface TalkFilter {
  communityId?: string
  postId?: string
  authorId?: string
  text?: string
  startDate?: string
  endDate?: string
  timeZone?: string
}

/** Days on which the clocks of three zones change within the file: an hour repeats, an hour repeats elsewhere, midnight is skipped. */
export const CLOCK_CHANGES = [
  { timeZone: 'Europe/Berlin', before: '2026-10-24', day: '2026-10-25', after: '2026-10-26' },
  { timeZone: 'America/New_York', before: '2026-10-31', day: '2026-11-01', after: '2026-11-02' },
  { timeZone: 'America/Santiago', before: '2026-09-05', day: '2026-09-06', after: '2026-09-07' },
]

export function talkFile(folder: string): string {
  return path.join(folder, 'wikitalk.ndjson.gz')
}

/** The pending comments by the file itself, newest held first, ties by id. */
export async function readHeldTalk(file: string): Promise<HeldTalk[]> {
  const held: HeldTalk[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    const record = JSON.parse(line)
    if (record.type === 'comment' && record.approvalStatus === 'pending' && !record.isDeleted) held.push(record)
  }
  return held.sort(
    (one, other) => Date.parse(other.queuedAt) - Date.parse(one.queuedAt) || (one.commentId < other.commentId ? -1 : 1),
  )
}

/** By checking each, with only Intl to tell its day. */
export function narrowed(held: HeldTalk[], filter: TalkFilter): string[] {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: filter.timeZone ?? 'UTC', dateStyle: 'short' })
  const isWithin = (day: string) =>
    (filter.startDate === undefined || day >= filter.startDate) &&
    (filter.endDate === undefined || day <= filter.endDate)
  return held
    .filter(
      (comment) =>
        (filter.communityId === undefined || comment.targetId === filter.communityId) &&
        (filter.postId === undefined || comment.referenceId === filter.postId) &&
        (filter.authorId === undefined || comment.userId === filter.authorId) &&
        (filter.text === undefined || folded(comment.data.text).includes(folded(filter.text))) &&
        isWithin(days.format(new Date(comment.createdAt))),
    )
    .map(({ commentId }) => commentId)
}

/** Whatever its case, and with one apostrophe for all of them. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll(/[‘’ʼ´`]/g, "'")
}
