import { expect } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { openReceiver } from '#server/testing/receiver.ts'

/** The `n`th outside event of a subject. */
export function recordTestEvent(ctx: Ctx, subjectId: string, n: number) {
  return recordEvent(ctx, {
    name: 'v3.comment.didUpdate',
    subjectType: 'comment',
    subjectId,
    payload: { subjectId, n },
  })
}

/** Several events of each subject, interleaved across subjects. */
export async function recordTestEventsBy(ctx: Ctx, subjects: number, each: number): Promise<void> {
  for (let n = 0; n < each; n += 1)
    for (let subject = 0; subject < subjects; subject += 1) await recordTestEvent(ctx, `${each} of ${subject}`, n)
}

/** The first arrivals of each subject's events are in order. */
export function expectOrder({ accepted }: Awaited<ReturnType<typeof openReceiver>>): void {
  const first = new Map(accepted.toReversed().map((arrival) => [arrival.id, arrival]))
  const bySubject = Map.groupBy([...first.values()].toReversed(), ({ data }) => data.subjectId)
  for (const arrivals of bySubject.values()) {
    const times = arrivals.toSorted((one, other) => accepted.indexOf(one) - accepted.indexOf(other))
    expect(times.map(({ data }) => data.n)).toEqual(arrivals.map((_, n) => n))
  }
}
