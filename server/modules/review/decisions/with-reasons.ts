import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

/** Where the payload of an event has the record that it is about. */
const RECORDS: Readonly<Record<string, string>> = { comment: 'comments', post: 'posts', message: 'messages' }

/**
 * The event of a decision, with the rules that held, rejected or flagged what it is about: integrators learn them, unlike callers over REST
 * (docs/decisions/0228-review-reasons.md). Events for desks only have no records, and stay as they are.
 */
export function withReasons(event: NewEvent, reasons: ReviewReason[] | null): NewEvent {
  const name = RECORDS[event.subjectType]
  const records = name && event.payload[name]
  if (reasons === null || !name || !Array.isArray(records)) return event
  const [decided, ...others] = records
  return { ...event, payload: { ...event.payload, [name]: [{ ...decided, reviewReasons: reasons }, ...others] } }
}
