import type { Ctx } from '#server/core/ctx.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audits.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { idsOf } from '#server/modules/spaces/membership/lock-people.ts'
import type { DoneAct, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'

/** The change of one person: ids and states. */
export interface MemberChange {
  userId: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface MemberChanges extends Omit<DoneAct, 'changed'> {
  changes: MemberChange[]
}

/**
 * Finishes an action on people, in its transaction: writes an audit row for each person, publishes one event, and returns the people
 * concerned. Where nothing changed, it audits and publishes nothing.
 */
export async function publishMembers<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, act, userIds, changes }: MemberChanges,
): Promise<Answer> {
  if (changes.length === 0) return kind.answer(ctx, spaceId, userIds)
  const space = kind.space(spaceId)
  const { payload, answer } = await kind.publish(ctx, { spaceId, act, userIds, changed: idsOf(changes) })
  await recordAudits(
    ctx,
    changes.map(({ userId, before, after }) => ({
      action: act.action,
      subjectType: 'user',
      subjectId: userId,
      ...space,
      before,
      after,
    })),
  )
  await recordEvent(ctx, {
    name: act.event,
    isDeskOnly: act.event.startsWith('desk.'),
    subjectType: kind.scope,
    subjectId: spaceId,
    ...space,
    payload,
  })
  return answer
}
